import { limits, quote } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { plain } from "./jsonc.ts"
import type { Wrong } from "./fields.ts"

const wrong = (at: string, detail: string): Wrong => ({ _tag: "BadConfig", at, detail })

/** Reads the text of a configuration: JSON, which may have comments and trailing commas. */
export const parse = (text: string, at: string): Effect.Effect<unknown, Wrong> => {
  if (text.length > limits.configBytes) return Effect.fail(wrong(at, `has more than ${limits.configBytes} characters`))
  return Effect.try({
    try: (): unknown => JSON.parse(plain(text)),
    // a parser's own words repeat some of the text
    catch: () => wrong(at, "is no JSON")
  })
}

const codeOf = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  return code === "ENOENT" ? "is not there" : `cannot be read${typeof code === "string" ? ` (${code})` : ""}`
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
  return Effect.tryPromise({ try: () => readBounded(path), catch: (cause) => wrong(at, codeOf(cause)) }).pipe(
    Effect.flatMap((text) => (text === undefined ? Effect.fail(wrong(at, "is no file")) : parse(text, at)))
  )
}
