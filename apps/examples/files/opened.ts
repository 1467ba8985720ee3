import type { ToolError } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { constants } from "node:fs"
import { type FileHandle, open, readlink } from "node:fs/promises"
import { holds, type Located, locate } from "./Folder.ts"
import { wayTo } from "./proc.ts"
import { attempt, refuse } from "./refusal.ts"

/** Links were resolved before, so that one here was put there since; without NONBLOCK, a FIFO would be waited for. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const replaced = "was just replaced; ask again"

/** Opens what was located. It may still be something outside: `prove` before anything of it is given out. */
export const opened = ({ info, path, real }: Located): Effect.Effect<FileHandle, ToolError, Scope.Scope> =>
  Effect.gen(function* () {
    const handle = yield* Effect.acquireRelease(
      attempt(path, () => open(real, flags)),
      (handle) => Effect.ignore(Effect.tryPromise(() => handle.close()))
    )
    const { dev, ino } = yield* attempt(path, () => handle.stat())
    if (dev !== info.dev || ino !== info.ino) return yield* refuse(path, replaced)
    return handle
  })

/**
 * Refuses what is not inside the folder. A folder on the way can be swapped for a link while its path is looked up, so
 * that no lookup proves anything: the handle itself is asked where it is. Systems that do not tell (all but Linux), or
 * a folder that is not open, are looked up once more; whoever swaps twice at the right moments still gets past that.
 */
export const prove = Effect.fnUntraced(function* (
  { folder, info, path }: Located,
  handle?: FileHandle
): Effect.fn.Return<void, ToolError> {
  if (folder.ways && handle !== undefined) {
    const place = yield* attempt(path, () => readlink(wayTo(handle)))
    if (!holds(folder, place)) return yield* refuse(path, replaced)
  } else {
    const { dev, ino } = (yield* locate(folder, path)).info
    if (dev !== info.dev || ino !== info.ino) return yield* refuse(path, replaced)
  }
})
