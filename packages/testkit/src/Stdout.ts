import { ErrorCode, Frame, limits, TransportError } from "@effective-mcp/protocol"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { byteLines } from "./byteLines.ts"

/**
 * What is wrong with a line of a server's standard output:
 * `NotUtf8`, its bytes are no text · `NotJson`, a log line for example · `NotAMessage`, JSON that is none · `Blank`,
 * nothing in it · `ByteOrderMark`, one at the very start · `TooLong`, over the limit, so that nothing after it was read ·
 * `NoNewline`, the last line has no end.
 */
export type Fault = "NotUtf8" | "NotJson" | "NotAMessage" | "Blank" | "ByteOrderMark" | "TooLong" | "NoNewline"

export interface Finding {
  readonly fault: Fault
  /** Counted from 1. */
  readonly line: number
  /** What is wrong, without what the line holds. */
  readonly detail: string
  /** The beginning of the line, 120 characters at most; a server's own words, so keep them out of logs. */
  readonly text: string
}

export interface Report {
  readonly messages: number
  /** The first 100. */
  readonly findings: ReadonlyArray<Finding>
  /** How many findings there were in all. */
  readonly total: number
}

export interface Options {
  /** Bytes of the longest line. Default 4 MiB. */
  readonly messageBytes?: number | undefined
}

/** Takes output as it comes. */
export interface Checker {
  readonly push: (bytes: Uint8Array) => void
  /** The output has ended. */
  readonly end: () => Report
}

/** Something on standard output is no message. */
export class DirtyStdout extends Data.TaggedError("DirtyStdout")<{ readonly report: Report }> {
  override get message(): string {
    const { findings, total } = this.report
    const shown = findings
      .slice(0, 10)
      .map(({ detail, line, text }) => `\n  line ${line}: ${detail}: ${JSON.stringify(text)}`)
    const rest = total > shown.length ? `\n  and ${total - shown.length} more` : ""
    return `standard output holds more than messages${shown.join("")}${rest}`
  }
}

const KEPT = 100
const CLIPPED = 120
const MARK = "\uFEFF"
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder("utf-8", { ignoreBOM: true })
const encoder = new TextEncoder()

const decode = (line: Uint8Array): string | undefined => {
  try {
    return strict.decode(line)
  } catch {
    return undefined
  }
}

/** The first thing that is no message, in a frame. */
const malformedIn = (frame: Frame.Frame): Frame.Malformed | undefined => {
  if (frame instanceof Frame.Malformed) return frame
  if (!Frame.isBatch(frame)) return undefined
  return frame.find((one) => one instanceof Frame.Malformed)
}

/**
 * Makes a checker: one message a line, each ended by a newline, in UTF-8, and nothing else. A batch counts as a message.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export const checker = ({ messageBytes = limits.messageBytes }: Options = {}): Checker => {
  const lines = byteLines(messageBytes + 1)
  const findings: Array<Finding> = []
  let total = 0
  let messages = 0
  let line = 0
  let isOver = false

  const find = (fault: Fault, detail: string, text: string): void => {
    if (total++ < KEPT) findings.push({ fault, line, detail, text: text.slice(0, CLIPPED) })
  }
  const look = (bytes: Uint8Array): void => {
    line++
    const whole = decode(bytes)
    if (whole === undefined) return find("NotUtf8", "not UTF-8", lenient.decode(bytes.subarray(0, 4 * CLIPPED)))
    const hasMark = line === 1 && whole.startsWith(MARK)
    if (hasMark) find("ByteOrderMark", "a byte order mark", whole)
    const text = hasMark ? whole.slice(1) : whole
    if (text.trim() === "") return find("Blank", "a blank line", text)
    const malformed = malformedIn(Frame.fromText(text))
    if (malformed === undefined) messages++
    else find(malformed.code === ErrorCode.ParseError ? "NotJson" : "NotAMessage", malformed.detail, text)
  }
  return {
    push: (bytes) => {
      if (isOver || lines.push(bytes, (one) => look(one.subarray(0, -1)))) return
      isOver = true
      line++
      find("TooLong", `longer than ${messageBytes} bytes`, "")
    },
    end: () => {
      const rest = isOver ? undefined : lines.rest()
      if (rest !== undefined && rest.length > 0) {
        look(rest)
        find("NoNewline", "the last line does not end", lenient.decode(rest.subarray(0, 4 * CLIPPED)))
      }
      isOver = true
      return { messages, findings: [...findings], total }
    }
  }
}

/** Checks all of an output. */
export const check = (output: string | Uint8Array, options?: Options): Report => {
  const checking = checker(options)
  checking.push(typeof output === "string" ? encoder.encode(output) : output)
  return checking.end()
}

/**
 * Checks an output as it comes, to its end: a stream of Effect, a `ReadableStream`, or whatever else can be iterated,
 * which fails with `Closed` when it throws.
 */
export const checkStream = <E = never, R = never>(
  output: Stream.Stream<Uint8Array, E, R> | AsyncIterable<Uint8Array>,
  options?: Options
): Effect.Effect<Report, E | TransportError, R> =>
  Effect.suspend(() => {
    const checking = checker(options)
    const stream: Stream.Stream<Uint8Array, E | TransportError, R> = Stream.isStream(output)
      ? output
      : Stream.fromAsyncIterable(output, (cause) => TransportError.make({ _tag: "Closed", cause }))
    return Effect.map(
      Stream.runForEach(stream, (bytes) => Effect.sync(() => checking.push(bytes))),
      checking.end
    )
  })

/** Fails when a report has findings. */
export const expectClean = (report: Report): Effect.Effect<void, DirtyStdout> =>
  report.total === 0 ? Effect.void : Effect.fail(new DirtyStdout({ report }))
