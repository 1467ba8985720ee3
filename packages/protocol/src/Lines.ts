import { Malformed, type Frame, fromText } from "./Frame.ts"
import { ErrorCode } from "./ErrorCode.ts"
import type { Message, Response } from "./JsonRpc.ts"
import { limits, requireCounts } from "./Limits.ts"

const NEWLINE = 10
/** UTF-8 byte order mark. */
const MARK = Uint8Array.of(0xef, 0xbb, 0xbf)
/** Reads shorter than this many bytes are copied together. */
const GATHERED = 4096
const lenient = new TextDecoder("utf-8", { ignoreBOM: true })
const encoder = new TextEncoder()
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Cuts bytes into frames, one a line. */
export interface Splitter {
  /**
   * Hands each frame that `chunk` completes to `onFrame`, in order. False when a line is longer than the limit: the
   * lines before it have been handed over, and nothing after it can be read. Until its line is whole `chunk` may be kept,
   * and must not change.
   */
  readonly push: (chunk: Uint8Array, onFrame: (frame: Frame) => void) => boolean
  /** Hands over what stands after the last newline: the other side has closed its end. */
  readonly end: (onFrame: (frame: Frame) => void) => boolean
}

/** One message a line, as stdio and any other byte stream carries it: JSON text never holds a raw newline. */
export const encode = (message: Message | ReadonlyArray<Response>): string => JSON.stringify(message) + "\n"

/** One array of all pieces, which are `size` bytes together. */
export const concat = (pieces: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** Bytes of a line that is not whole yet; small reads are gathered, so that a trickle costs no more than its bytes. */
const makeRemainder = () => {
  let pieces: Array<Uint8Array> = []
  let tail = new Uint8Array(0)
  let filled = 0
  let size = 0
  const settleTail = (): void => {
    if (filled > 0) pieces.push(tail.subarray(0, filled))
    tail = new Uint8Array(0)
    filled = 0
  }
  return {
    size: () => size,
    add: (bytes: Uint8Array): void => {
      size += bytes.length
      if (bytes.length >= GATHERED) {
        settleTail()
        pieces.push(bytes)
        return
      }
      if (filled + bytes.length > tail.length) {
        settleTail()
        tail = new Uint8Array(GATHERED)
      }
      tail.set(bytes, filled)
      filled += bytes.length
    },
    /** All of it and `last`, and nothing is left. */
    takeWith: (last: Uint8Array): Uint8Array => {
      if (size === 0) return last
      settleTail()
      const whole = concat([...pieces, last], size + last.length)
      pieces = []
      size = 0
      return whole
    }
  }
}

/** Drops a byte order mark from the start of what comes in pieces; undefined while there may still be one. */
const makeMarkFilter = () => {
  let seen = 0
  let done = false
  return {
    pass: (chunk: Uint8Array): Uint8Array | undefined => {
      if (done) return chunk
      let at = 0
      while (at < chunk.length && seen < MARK.length && chunk[at] === MARK[seen]) {
        at++
        seen++
      }
      if (at === chunk.length && seen < MARK.length) return undefined
      done = true
      if (seen === MARK.length || seen === 0) return chunk.subarray(at)
      return concat([MARK.subarray(0, seen), chunk.subarray(at)], seen + chunk.length - at)
    },
    /** What was held back for a mark that never became whole. */
    rest: (): Uint8Array => (done ? MARK.subarray(0, 0) : MARK.subarray(0, seen))
  }
}

const isBlank = (text: string, from: number, to: number): boolean => {
  for (let i = from; i < to; i++) if (text.charCodeAt(i) > 32) return false
  return true
}

/**
 * Makes a splitter. A byte order mark at the very start, blank lines, CR LF and a missing last newline are let pass; a
 * line that is not UTF-8 or not a message becomes a `Malformed`, and reading goes on.
 *
 * @param options.messageBytes the longest line, without its newline
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export const splitter = (
  options: { readonly messageBytes?: number | undefined; readonly depth?: number | undefined } = {}
): Splitter => {
  const { depth = limits.depth, messageBytes = limits.messageBytes } = options
  requireCounts({ messageBytes, depth })
  const remainder = makeRemainder()
  const mark = makeMarkFilter()
  let line = 0

  const take = (text: string, onFrame: (frame: Frame) => void): void => {
    const frame = fromText(text, depth)
    onFrame(frame instanceof Malformed ? frame.at(line, encoder.encode(text).length) : frame)
  }
  const decode = (bytes: Uint8Array): string | undefined => {
    try {
      return strict.decode(bytes)
    } catch {
      return undefined
    }
  }
  /** Line by line, for bytes that may hold a line over the limit or one that is not UTF-8. */
  const takeCarefully = (bytes: Uint8Array, onFrame: (frame: Frame) => void): boolean => {
    for (let from = 0; from <= bytes.length;) {
      const found = bytes.indexOf(NEWLINE, from)
      const to = found < 0 ? bytes.length : found
      line++
      if (to - from > messageBytes) return false
      const text = decode(bytes.subarray(from, to))
      if (text === undefined) onFrame(new Malformed(ErrorCode.ParseError, "not UTF-8").at(line, to - from))
      else if (!isBlank(text, 0, text.length)) take(text, onFrame)
      from = to + 1
    }
    return true
  }
  const takeAll = (bytes: Uint8Array, onFrame: (frame: Frame) => void): boolean => {
    if (bytes.length > messageBytes) return takeCarefully(bytes, onFrame)
    const text = lenient.decode(bytes)
    if (text.includes("\uFFFD")) return takeCarefully(bytes, onFrame)
    for (let from = 0; from <= text.length;) {
      const found = text.indexOf("\n", from)
      const to = found < 0 ? text.length : found
      line++
      if (!isBlank(text, from, to)) take(from === 0 && found < 0 ? text : text.slice(from, to), onFrame)
      from = to + 1
    }
    return true
  }
  return {
    push: (bytes, onFrame) => {
      const chunk = mark.pass(bytes)
      if (chunk === undefined) return true
      const last = chunk.lastIndexOf(NEWLINE)
      if (last >= 0 && !takeAll(remainder.takeWith(chunk.subarray(0, last)), onFrame)) return false
      if (last + 1 < chunk.length) remainder.add(chunk.subarray(last + 1))
      return remainder.size() <= messageBytes
    },
    end: (onFrame) => {
      const rest = remainder.takeWith(mark.rest())
      return rest.length === 0 || takeAll(rest, onFrame)
    }
  }
}
