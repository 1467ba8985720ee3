import { TransportError } from "@effective-mcp/protocol/TransportError"

const encoder = new TextEncoder()

/** Whether a text is longer than so many bytes of UTF-8; most are too short to be counted. */
const isLonger = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && encoder.encode(text).length > bytes)

/** A value as JSON text of at most `limit` bytes, or why it cannot be sent. */
export const jsonText = (value: object, limit: number): string | TransportError => {
  try {
    const text = JSON.stringify(value)
    return isLonger(text, limit) ? TransportError.make({ _tag: "TooLarge", limit }, "NotSent") : text
  } catch (cause) {
    return TransportError.make({ _tag: "Unsendable", cause }, "NotSent")
  }
}
