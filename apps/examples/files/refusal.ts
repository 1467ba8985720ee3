import { ToolError } from "@effective-mcp/server"
import * as Effect from "effect/Effect"

/** A client's path as a refusal repeats it: escaped, and not at length. */
const shown = (path: string): string => JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}…` : path)

/** Says what is wrong with a client's path. */
export const refuse = (path: string, why: string): ToolError => new ToolError({ message: `${shown(path)} ${why}.` })

const reasons: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "does not exist"],
  ["ENOTDIR", "does not exist"],
  ["ENAMETOOLONG", "has a name in it that is too long"],
  ["EACCES", "may not be read"],
  ["EPERM", "may not be read"]
])

/** Uses the file system. Its own messages hold whole paths, so that only their code is passed on. */
export const attempt = <A>(path: string, use: () => Promise<A>): Effect.Effect<A, ToolError> =>
  Effect.tryPromise({
    try: use,
    catch: (cause) => {
      const code = cause instanceof Error && "code" in cause ? cause.code : undefined
      return refuse(path, reasons.get(code) ?? "cannot be read")
    }
  })
