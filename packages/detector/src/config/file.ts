import { limits, quote } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { placeOf } from "./faultAt.ts"
import { plain } from "./jsonc.ts"
import { type Wrong, wrong } from "./fields.ts"

/** Reads the text of a configuration: JSON, which may have comments and trailing commas. */
export const parse = (text: string, at: string): Effect.Effect<unknown, Wrong> => {
  if (text.length > limits.configBytes) return Effect.fail(wrong(at, `has more than ${limits.configBytes} characters`))
  return Effect.suspend(() => {
    const json = plain(text)
    return Effect.try({
      try: (): unknown => JSON.parse(json),
      // a parser's own words repeat some of the text
      catch: () => wrong(`${placeOf(json)} of ${at}`, "is no JSON")
    })
  })
}

/** Where relative paths start; a runtime may not let us know. */
const folder = (): string => {
  try {
    return `, ${process.cwd()}`
  } catch {
    return ""
  }
}

const unread = (at: string, cause: unknown): Wrong => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  if (code === "ENOENT") {
    return wrong(at, "is not there", `Check the path; a relative one starts at the folder of this process${folder()}.`)
  }
  const detail = `cannot be read${typeof code === "string" ? ` (${code})` : ""}`
  return wrong(at, detail, "Check that it is a file, and its permissions.")
}

/** No more of a file is read than a configuration may have, whatever it is. */
const readBounded = async (path: string): Promise<string | undefined> => {
  const { open, stat } = await import("node:fs/promises")
  // to open a pipe would wait for whoever writes it
  if (!(await stat(path)).isFile()) return undefined
  const file = await open(path, "r")
  try {
    const buffer = new Uint8Array(limits.configBytes + 1)
    let size = 0
    while (size < buffer.length) {
      const { bytesRead } = await file.read(buffer, size, buffer.length - size, size)
      if (bytesRead === 0) break
      size += bytesRead
    }
    return new TextDecoder().decode(buffer.subarray(0, size))
  } finally {
    await file.close()
  }
}

/** Reads a file of a host's, as an object. */
export const load = (path: string): Effect.Effect<unknown, Wrong> => {
  const at = `the file ${quote(path)}`
  return Effect.tryPromise({ try: () => readBounded(path), catch: (cause) => unread(at, cause) }).pipe(
    Effect.flatMap((text) =>
      text === undefined ? Effect.fail(wrong(at, "is no file", "Give the path of a file.")) : parse(text, at)
    )
  )
}
