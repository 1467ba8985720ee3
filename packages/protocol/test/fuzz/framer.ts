import assert from "node:assert/strict"
import { Frame, Lines } from "@effective-mcp/protocol"
import { type Tape, taped } from "./Tape.ts"
import { target } from "./Target.ts"

const encoder = new TextEncoder()
const bytesOf = (text: string): ReadonlyArray<number> => [...encoder.encode(text)]

/** What lines are made of: each with what is awkward about it. */
const pieces: readonly [ReadonlyArray<number>, ...ReadonlyArray<ReadonlyArray<number>>] = [
  [10],
  bytesOf('{"jsonrpc":"2.0","method":"é","params":{"🦜":"\u2028","__proto__":{}}}'),
  bytesOf('{"jsonrpc":"2.0","id":1,"method":"x"}'),
  bytesOf('{"jsonrpc":"2.0","id":"","result":{"a":[[[[1]]]]}}'),
  bytesOf('[{"jsonrpc":"2.0","method":"x"},7]'),
  [13, 10],
  [10, 10],
  [13],
  [32, 9],
  [0],
  [0xef, 0xbb, 0xbf],
  [0xef, 0xbb],
  [0xef],
  [0xbb, 0xbf],
  bytesOf("\ufffd"),
  bytesOf("語🦜\u{10ffff}"),
  [0xff],
  [0xc3],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf0, 0x9f, 0xa6],
  bytesOf('{"a'),
  bytesOf('"}'),
  bytesOf("[info] ready"),
  bytesOf("null")
]
/** Around the size from which reads are kept and not copied together. */
const long = [4_094, 4_095, 4_096, 4_097, 9_000].map((size) => Array.from({ length: size }, () => 0x78))

interface Input {
  readonly bytes: Uint8Array
  readonly cuts: ReadonlyArray<number>
  readonly options: { readonly messageBytes: number; readonly depth: number }
}

const piece = (tape: Tape): ReadonlyArray<number> => {
  const choice = tape.below(40)
  if (choice === 39) return tape.once(8) ? (tape.pick(long) ?? []) : []
  if (choice > 33) return [tape.byte()]
  return pieces[choice % pieces.length] ?? []
}

const input = taped(80, (tape): Input => {
  const cuts = tape.list(8, () => tape.byte() * 256 + tape.byte())
  const options = {
    messageBytes: tape.pick([1_000, 10_000, 60, 40, 9, 1, 4_096, 200]),
    depth: tape.pick([64, 4, 3, 1])
  }
  const bytes = Uint8Array.from(tape.list(20, () => piece(tape)).flat())
  return { bytes, cuts: cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other), options }
})

/** The text of some bytes by way of a URI; undefined when they are not UTF-8. */
const textOf = (bytes: Uint8Array): string | undefined => {
  let text = ""
  for (const byte of bytes) {
    text += byte > 0x60 && byte < 0x7b ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, "0")}`
  }
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

interface Read {
  readonly frames: ReadonlyArray<Frame.Frame>
  readonly isWhole: boolean
}

/** What a splitter is to find, found line by line in all of the bytes. */
const expected = ({ bytes, options: { depth, messageBytes } }: Input): Read => {
  const frames: Array<Frame.Frame> = []
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  let from = hasMark ? 3 : 0
  for (let line = 1; from < bytes.length; line++) {
    let to = from
    while (to < bytes.length && bytes[to] !== 10) to++
    if (to - from > messageBytes) return { frames, isWhole: false }
    const text = textOf(bytes.subarray(from, to))
    if (text === undefined || !/^[\u0000-\u0020]*$/.test(text)) {
      const frame = text === undefined ? new Frame.Malformed(-32700, "not UTF-8") : Frame.fromText(text, depth)
      frames.push(frame instanceof Frame.Malformed ? frame.at(line, to - from) : frame)
    }
    from = to + 1
  }
  return { frames, isWhole: true }
}

const read = ({ bytes, options }: Input, cuts: ReadonlyArray<number>): Read => {
  const frames: Array<Frame.Frame> = []
  const keep = (frame: Frame.Frame): void => void frames.push(frame)
  const splitter = Lines.splitter(options)
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    if (!splitter.push(bytes.subarray(from, to), keep)) return { frames, isWhole: false }
    from = to
  }
  return { frames, isWhole: splitter.end(keep) }
}

const shown = ({ frames, isWhole }: Read): string =>
  JSON.stringify([isWhole, ...frames.map((frame) => [frame instanceof Frame.Malformed, frame])])

/** Frames are those of the lines, however the bytes are cut. */
export const framer = target("framer", input, (given) => {
  const right = shown(expected(given))
  assert.equal(shown(read(given, given.cuts)), right)
  assert.equal(shown(read(given, [])), right)
})
