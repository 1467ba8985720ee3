import { Frame, type JsonRpc, limits } from "@effective-mcp/protocol"
import { escape } from "./pattern.ts"
import { makeStableIds, type Side } from "./stableIds.ts"

export interface Options {
  /** Characters of the longest recording; what comes later is only counted. Default 1 Mi. */
  readonly length?: number | undefined
  /**
   * What is written instead of a value; the value itself leaves it as it is. It is asked for every value of a message,
   * outermost first, with the names and places that lead to it, and who said it. `"$any"` instead of a value of theirs lets a
   * replay accept any; what we say ourselves must be known, so give it a value that the other side takes.
   *
   * Default: everything is written as it is, secrets too.
   */
  readonly redact?: ((value: unknown, path: ReadonlyArray<string | number>, side: Side) => unknown) | undefined
}

/** What went over a wire so far. */
export interface Recording {
  /** The transcript: what our end of the wire did, ready to be played again. */
  readonly text: () => string
  /** How many messages came after it was full. */
  readonly missed: () => number
}

/** Writes down messages; a message that cannot be written becomes a comment. */
export const makeRecorder = ({ length = 1024 * 1024, redact = (value) => value }: Options = {}) => {
  const ids = makeStableIds()
  const lines: Array<string> = []
  let size = 0
  let missed = 0

  const written = (
    value: unknown,
    path: ReadonlyArray<string | number>,
    places: ReadonlyMap<string, unknown>,
    levels: number,
    side: Side
  ): unknown => {
    const stable = places.get(path.join("."))
    if (stable !== undefined) return stable
    const redacted = redact(value, path, side)
    if (!Object.is(redacted, value)) return redacted
    if (typeof value === "string") return escape(value)
    if (typeof value !== "object" || value === null) return value
    if (levels === 0) throw new Error("nested too deep")
    if (Array.isArray(value)) return value.map((item, i) => written(item, [...path, i], places, levels - 1, side))
    const members = Object.entries(value).filter(([, one]) => one !== undefined)
    return Object.fromEntries(
      members.map(([name, one]) => [name, written(one, [...path, name], places, levels - 1, side)])
    )
  }
  const write = (sign: string, side: Side, frame: Frame.Frame): string => {
    if (frame instanceof Frame.Malformed) return `# ${sign} a line that is no message: ${frame.detail}`
    const one = (message: JsonRpc.Message | Frame.Malformed): unknown =>
      message instanceof Frame.Malformed ? "$any" : written(message, [], ids(side, message), limits.depth, side)
    return `${sign} ${JSON.stringify(Frame.isBatch(frame) ? frame.map(one) : one(frame))}`
  }
  const note = (side: Side, frame: Frame.Frame): void => {
    const sign = side === "ours" ? ">" : "<"
    if (missed > 0) return void missed++
    let line: string
    try {
      line = write(sign, side, frame)
    } catch {
      // a cycle, or a redaction that fails: whatever it is, nothing of it is shown
      line = `# ${sign} a message that could not be written down`
    }
    if (size + line.length + 1 > length) missed++
    else {
      size += line.length + 1
      lines.push(line)
    }
  }
  const text = (): string => {
    const rest = missed === 0 ? [] : [`# the recording is full: ${missed} more`]
    return [...lines, ...rest].map((line) => `${line}\n`).join("")
  }
  return { note, recording: { text, missed: () => missed } satisfies Recording }
}
