import { Lines } from "@effective-mcp/protocol"

const NEWLINE = 10

/** Cuts bytes into lines and leaves them bytes. */
export interface ByteLines {
  /** Hands over each line that `chunk` completes, with its newline. False once a line is longer than the limit. */
  readonly push: (chunk: Uint8Array, onLine: (line: Uint8Array) => void) => boolean
  /** What stands after the last newline. */
  readonly rest: () => Uint8Array
}

/** @param limit bytes of the longest line, with its newline */
export const byteLines = (limit: number): ByteLines => {
  let pieces: Array<Uint8Array> = []
  let size = 0
  const rest = (): Uint8Array => {
    const whole = pieces.length === 1 ? pieces[0]! : Lines.concat(pieces, size)
    pieces = []
    size = 0
    return whole
  }
  const add = (piece: Uint8Array): boolean => {
    if (size + piece.length > limit) return false
    // a copy: whoever read it may use the memory again
    if (piece.length > 0) pieces.push(piece.slice())
    size += piece.length
    return true
  }
  return {
    rest,
    push: (chunk, onLine) => {
      let from = 0
      for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
        if (!add(chunk.subarray(from, to + 1))) return false
        onLine(rest())
        from = to + 1
      }
      return add(chunk.subarray(from))
    }
  }
}
