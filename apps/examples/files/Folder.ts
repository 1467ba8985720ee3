import type { ToolError } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import type { Stats } from "node:fs"
import { lstat, realpath } from "node:fs/promises"
import { join, sep } from "node:path"
import { bounds } from "./bounds.ts"
import { attempt, refuse } from "./refusal.ts"

/** The one folder that is served: its own path, links resolved. */
export interface Folder {
  readonly root: string
}

/** Something inside the folder. */
export interface Located {
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
      return { root }
    },
    catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause)))
  })

/** The names along a path, or why it is none that is served. Nothing is decoded: a percent sign is a percent sign. */
const split = (path: string): ReadonlyArray<string> | string => {
  if (path.length > bounds.pathLength) return `has over ${bounds.pathLength} characters`
  if (/[\0-\x1f\x7f]/.test(path)) return "has control characters in it"
  if (path.includes("\\")) return "has a backslash in it; names are separated by /"
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) return "is absolute; paths begin in the folder that is served"
  const names = path.split("/").filter((name) => name !== "" && name !== ".")
  if (names.includes("..")) return "has .. in it; only what is inside the folder is served"
  if (names.some(isHidden)) return "has a name in it that is not served"
  return names
}

/** Names that begin with a dot often hold secrets; on Windows a colon reaches a file's other streams. */
export const isHidden = (name: string): boolean => name.startsWith(".") || (sep === "\\" && name.includes(":"))

const isInside = ({ root }: Folder, real: string): boolean =>
  real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)

const hides = ({ root }: Folder, real: string): boolean => real.slice(root.length).split(sep).some(isHidden)

/**
 * Finds what a client's path names, one name at a time, so that nothing outside is ever looked at: a link is resolved
 * before the next name is, and must lead to something inside. Where else it leads, if anywhere, is not told.
 */
export const locate = Effect.fnUntraced(function* (folder: Folder, path: string): Effect.fn.Return<Located, ToolError> {
  const names = split(path)
  if (typeof names === "string") return yield* refuse(path, names)
  const resolve = (at: string): Effect.Effect<string, ToolError> =>
    Effect.tryPromise(() => realpath(at)).pipe(
      Effect.filterOrFail((real) => isInside(folder, real) && !hides(folder, real)),
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
  return { path: names.length === 0 ? "." : names.join("/"), real: yield* resolve(real), info }
})
