import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** How this runtime runs one of the fixtures: its words. */
export const words = (name: string, ...args: ReadonlyArray<string>): readonly [string, ...Array<string>] => [
  process.execPath,
  ...("Deno" in globalThis ? ["run", "-A"] : []),
  "--conditions=@effective-mcp/source",
  fileURLToPath(new URL(`../fixtures/${name}.ts`, import.meta.url)),
  ...args
]

/** The same as an entry of a configuration. */
export const entry = (name: string, ...args: ReadonlyArray<string>) => {
  const [command, ...rest] = words(name, ...args)
  return { command, args: rest }
}

/** A folder that goes with the scope. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "target-")))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)
