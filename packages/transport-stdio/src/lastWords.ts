import { Lines } from "@effective-mcp/protocol"
import type { Input } from "./streams.ts"

/** Whether a byte stands inside a character, in UTF-8. */
const isInner = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

const ignore = (): void => {}

/** Who hears a text as it comes, no character cut. */
export interface Listener {
  readonly onText: (text: string) => unknown
  readonly onEnd?: () => unknown
}

/** Tells somebody something: what they throw is dropped, and so is what a promise of theirs fails with. */
export const telling = (tell: () => unknown): void => {
  try {
    const said = tell()
    if (typeof said === "object" && said !== null) Promise.resolve(said).catch(ignore)
  } catch {
    // who only listens must not end what it listens to
  }
}

/** Reads all that a stream says, at all times, and gives back its last `limit` bytes when asked. */
export const lastWords = (input: Input, limit: number, listener?: Listener): (() => string) => {
  const decoder = new TextDecoder()
  let chunks: Array<Uint8Array> = []
  let size = 0

  const tell = (text: string): void => {
    if (text !== "" && listener !== undefined) telling(() => listener.onText(text))
  }
  input.on("data", (chunk: Uint8Array) => {
    tell(decoder.decode(chunk, { stream: true }))
    chunks.push(chunk)
    size += chunk.length
    // cut at twice the limit only, so that a trickle costs no more than its bytes
    if (size <= 2 * limit && chunks.length < 1024) return
    const kept = Lines.concat(chunks, size)
    chunks = [kept.slice(Math.max(0, size - limit))]
    size = chunks[0]!.length
  })
  input.on("end", () => {
    tell(decoder.decode())
    telling(() => listener?.onEnd?.())
  })
  // how it ends says nothing about the connection
  input.on("error", ignore)

  return () => {
    const whole = Lines.concat(chunks, size)
    let from = Math.max(0, size - limit)
    while (isInner(whole[from])) from += 1
    return new TextDecoder().decode(whole.subarray(from))
  }
}
