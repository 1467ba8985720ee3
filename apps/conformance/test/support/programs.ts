import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export type Argv = readonly [string, ...ReadonlyArray<string>]
type Program = "server" | "stdioServer" | "client" | "driver"
export type Runtime = "node" | "bun" | "deno"

/** Where the programs are started. */
export const root = fileURLToPath(new URL("../../../..", import.meta.url))

export const fixtures: Readonly<Record<Program, Readonly<Record<Runtime, Argv>>>> = JSON.parse(
  readFileSync(new URL("../../fixtures.json", import.meta.url), "utf8")
)

/** What these tests run on. */
export const runtime: Runtime = "Bun" in globalThis ? "bun" : "Deno" in globalThis ? "deno" : "node"

/** By this condition the packages here take each other's sources, so that nothing has to be built. */
export const fromSources = ([command, ...args]: Argv): Argv => {
  const at = args.findIndex((arg) => arg.endsWith(".ts"))
  return [command, ...args.slice(0, at), "--conditions=@effective-mcp/source", ...args.slice(at)]
}

/** A program of these fixtures, as it starts on this runtime. */
export const program = (name: Program): Argv => fromSources(fixtures[name][runtime])

const at = (argv: Argv, path: string): Argv => {
  const [command, ...args] = argv
  return [command, ...args.map((arg) => (arg.endsWith(".ts") ? path : arg))]
}

/** A server on stdio that ends when it is asked to. */
export const mortal = at(program("stdioServer"), "apps/conformance/test/support/mortal.ts")

/** The official SDK, version 1, over HTTP+SSE: its stream is at `/mcp`, which it says, and it takes messages at `/messages`. */
export const officialSse: Argv = [...at(program("stdioServer"), "apps/examples/corpus/programs/officialV1.ts"), "sse"]
