import type { ToolError } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import type { FileHandle } from "node:fs/promises"
import { bounds } from "./bounds.ts"
import type { Located } from "./Folder.ts"
import { opened, prove } from "./opened.ts"
import { attempt, refuse } from "./refusal.ts"

const readUpTo = async (handle: FileHandle, limit: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(limit)
  let length = 0
  while (length < limit) {
    const { bytesRead } = await handle.read(bytes, length, limit - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

const decode = (bytes: Uint8Array): string | undefined => {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The text of a file; anything that is not a text of a bearable size is refused. */
export const readText = (located: Located): Effect.Effect<string, ToolError> => {
  const { info, path } = located
  if (info.isDirectory()) return Effect.fail(refuse(path, "is a folder; list shows what is in it"))
  if (!info.isFile()) return Effect.fail(refuse(path, "is neither a file nor a folder"))
  return Effect.scoped(
    Effect.gen(function* () {
      const handle = yield* opened(located)
      yield* prove(located, handle)
      const { size } = yield* attempt(path, () => handle.stat())
      if (size > bounds.fileBytes) {
        return yield* refuse(path, `has ${size} bytes; files over ${bounds.fileBytes} are not read`)
      }
      const bytes = yield* attempt(path, () => readUpTo(handle, size))
      return decode(bytes) ?? (yield* refuse(path, "is not a text"))
    })
  )
}
