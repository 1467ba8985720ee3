import type { ToolError } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import type { Stats } from "node:fs"
import { lstat, realpath } from "node:fs/promises"
import { join, sep } from "node:path"
import { isHidden, split } from "./names.ts"
import { hasWays } from "./proc.ts"
import { attempt, refuse } from "./refusal.ts"

/** The one folder that is served. */
export interface Folder {
  /** Its own path, links resolved. */
  readonly root: string
  /** Whether open handles can be asked where they are. */
  readonly ways: boolean
}

/** Something inside the folder. */
export interface Located {
  readonly folder: Folder
  /** As clients write it: from the folder, with slashes; the folder itself is `.`. */
  readonly path: string
  readonly real: string
  readonly info: Stats
}

/** Opens a folder for serving. Its path is the operator's own, so that errors may name it. */
export const open = (path: string): Effect.Effect<Folder, Error> =>
  Effect.tryPromise({
    try: async () => {
      const root = await realpath(path)
      if (!(await lstat(root)).isDirectory()) throw new Error(`not a folder: ${path}`)
      return { root, ways: await hasWays(root) }
    },
    catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause)))
  })

/** Whether a path of the system is one of the folder, and not hidden in it. */
export const holds = ({ root }: Folder, real: string): boolean =>
  (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) &&
  !real.slice(root.length).split(sep).some(isHidden)

/**
 * Finds what a client's path names, one name at a time, so that no link leads the search outside: it is resolved before
 * the next name is, and must lead to something inside. Where else it leads, if anywhere, is not told. What was found
 * can be another thing by the time it is opened, hence `prove`.
 */
export const locate = Effect.fnUntraced(function* (folder: Folder, path: string): Effect.fn.Return<Located, ToolError> {
  const names = split(path)
  if (typeof names === "string") return yield* refuse(path, names)
  const resolve = (at: string): Effect.Effect<string, ToolError> =>
    Effect.tryPromise(() => realpath(at)).pipe(
      Effect.filterOrFail((real) => holds(folder, real)),
      Effect.mapError(() => refuse(path, "goes through a link that leads to nothing in the folder"))
    )
  let real = folder.root
  let info = yield* attempt(path, () => lstat(real))
  for (const name of names) {
    real = join(real, name)
    info = yield* attempt(path, () => lstat(real))
    if (!info.isSymbolicLink()) continue
    real = yield* resolve(real)
    info = yield* attempt(path, () => lstat(real))
  }
  // a name can also be another name's alias (case, short names of Windows): what counts is what it is called on disk
  return { folder, path: names.length === 0 ? "." : names.join("/"), real: yield* resolve(real), info }
})
