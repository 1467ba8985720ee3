import { type Duplex, Frame } from "@effective-mcp/protocol"
import type { Matter } from "./wire.ts"

type Sent = Parameters<Duplex["send"]>[0]

const halfText = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.slice(0, text.length >> 1)
}

/** What a duplex carries: frames in, messages out. */
export const frames: Matter<Frame.Frame, Sent> = {
  frameOf: (frame) => frame,
  halfOf: {
    in: (frame) => (frame instanceof Frame.Malformed ? frame : Frame.fromText(halfText(frame))),
    // cast: this must be no message: it is sent as a text, which its reader refuses
    out: (message) => halfText(message) as unknown as Sent
  }
}

const decoder = new TextDecoder()
const NEWLINE = 10

const halfLine = (line: Uint8Array, isLast: boolean): Uint8Array => {
  const half = line.slice(0, (line.length >> 1) + 1)
  if (isLast) return half
  half[half.length - 1] = NEWLINE
  return half
}

/** What a pipe of bytes carries: lines, each with its newline. */
export const lines: Matter<Uint8Array, Uint8Array> = {
  frameOf: (line) => Frame.fromText(decoder.decode(line)),
  halfOf: { in: halfLine, out: halfLine }
}
