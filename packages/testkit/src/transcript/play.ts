import { type Duplex, Frame, limits, type TransportError } from "@effective-mcp/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { clip, TranscriptMismatch, type TranscriptSyntaxError } from "./errors.ts"
import { type AnyOrder, type Expect, parse, type Send, type Step, type Transcript } from "./parse.ts"
import { type Captures, differenceOf, fill } from "./pattern.ts"

export interface Options {
  /** How long one step may take, in ms: until a message has been handed over, or an expected one has come. Default 5,000. */
  readonly withinMs?: number | undefined
  /** Whether every object may have members that the transcript does not write down. Default false. */
  readonly partial?: boolean | undefined
  /** What the other side may say at any time, such as logs: true for what is not held against the transcript. */
  readonly ignore?: ((frame: Frame.Frame) => boolean) | undefined
}

/** How much of a message a mismatch shows, in characters. */
const SHOWN = 2000

/** What was heard: a frame, or why there is none. */
type Heard = { readonly frame: Frame.Frame } | { readonly nothing: string }

const show = (heard: Heard): string => {
  if ("nothing" in heard) return heard.nothing
  const { frame } = heard
  return frame instanceof Frame.Malformed ? `a line that is no message: ${frame.detail}` : clip(frame, SHOWN)
}

const linesOf = (expected: ReadonlyArray<Expect>): string =>
  expected.map(({ pattern }) => clip(pattern, SHOWN)).join(" or ")

/** Reads one frame at a time, and only when it is asked for one. */
const makeEar = Effect.fnUntraced(function* (
  duplex: Duplex,
  ignore: (frame: Frame.Frame) => boolean
): Effect.fn.Return<Effect.Effect<Heard>, never, Scope.Scope> {
  const pull = yield* duplex.incoming
  let read: Array<Frame.Frame> = []
  const next: Effect.Effect<Heard> = Effect.suspend(() => {
    const frame = read.shift()
    if (frame !== undefined) return ignore(frame) ? next : Effect.succeed({ frame })
    return Effect.matchCauseEffect(pull, {
      onSuccess: (chunk) => {
        read = [...chunk]
        return next
      },
      onFailure: (cause: Cause.Cause<TransportError | Cause.Done>) => {
        const failed = cause.reasons.find((reason) => reason._tag === "Fail")?.error
        if (failed === undefined) return Effect.failCause(cause as Cause.Cause<never>) // cast: it holds no failure
        const why = Cause.isDone(failed) ? "the other side has closed its end" : `the wire failed: ${failed.message}`
        return Effect.succeed({ nothing: why })
      }
    })
  })
  return next
})

const perform = Effect.fnUntraced(function* (
  { steps }: Transcript,
  duplex: Duplex,
  { ignore = () => false, partial = false, withinMs = 5000 }: Options
): Effect.fn.Return<Captures, TranscriptMismatch, Scope.Scope> {
  const hear = yield* makeEar(duplex, ignore)
  let captures: ReadonlyMap<string, unknown> = new Map()

  const mismatch = (line: number, expected: string, actual: string, difference = ""): TranscriptMismatch =>
    new TranscriptMismatch({ line, expected, actual, difference })
  const inTime = <A>(effect: Effect.Effect<A, TranscriptMismatch>, line: number, expected: string, late: string) =>
    Effect.timeoutOrElse(effect, {
      duration: withinMs,
      orElse: () => Effect.fail(mismatch(line, expected, `${late} in ${withinMs} ms`))
    })
  const send = ({ line, pattern }: Send): Effect.Effect<void, TranscriptMismatch> => {
    const frame = Frame.fromJson(fill(pattern, captures), limits.depth)
    const expected = `to send ${clip(pattern, SHOWN)}`
    if (frame instanceof Frame.Malformed) return Effect.fail(mismatch(line, expected, `no message: ${frame.detail}`))
    // cast: the frame was checked, and a pipe sends a batch as it is
    const sending = duplex.send(frame as Parameters<Duplex["send"]>[0])
    const failed = (error: TransportError) => mismatch(line, expected, `it could not be sent: ${error.message}`)
    return inTime(Effect.mapError(sending, failed), line, expected, "it was not taken")
  }
  /** The place of the first that what was heard fits, or where it does not fit the first. */
  const fit = (expected: ReadonlyArray<Expect>, heard: Heard): number | string => {
    if ("nothing" in heard || heard.frame instanceof Frame.Malformed) return ""
    let first: string | undefined
    for (const [at, { pattern }] of expected.entries()) {
      const next = new Map(captures)
      const difference = differenceOf(pattern, heard.frame, next, partial)
      if (difference === undefined) {
        captures = next
        return at
      }
      first ??= difference
    }
    return first ?? ""
  }
  const meet = ({ expected, line }: Omit<AnyOrder, "_tag">): Effect.Effect<void, TranscriptMismatch> => {
    if (expected.length === 0) return Effect.void
    const told = linesOf(expected)
    const once = Effect.flatMap(hear, (heard): Effect.Effect<number, TranscriptMismatch> => {
      const found = fit(expected, heard)
      return typeof found === "number" ? Effect.succeed(found) : Effect.fail(mismatch(line, told, show(heard), found))
    })
    return Effect.flatMap(inTime(once, line, told, "nothing"), (found) => {
      const rest = expected.filter((_, at) => at !== found)
      return meet({ expected: rest, line: rest[0]?.line ?? line })
    })
  }
  const end = (line: number): Effect.Effect<void, TranscriptMismatch> => {
    const expected = "the other side closes its end"
    const once = Effect.flatMap(hear, (heard) =>
      "nothing" in heard ? Effect.void : Effect.fail(mismatch(line, expected, show(heard)))
    )
    return inTime(once, line, expected, "nothing")
  }
  const run = (step: Step): Effect.Effect<void, TranscriptMismatch> =>
    Effect.suspend(() => {
      switch (step._tag) {
        case "Send":
          return send(step)
        case "Expect":
          return meet({ expected: [step], line: step.line })
        case "AnyOrder":
          return meet({ expected: step.expected, line: step.expected[0]?.line ?? step.line })
        case "End":
          return end(step.line)
        case "Let":
          captures = new Map(captures).set(step.name, fill(step.pattern, captures))
          return Effect.void
      }
    })
  yield* Effect.forEach(steps, run, { discard: true })
  return captures
})

/**
 * Plays one side of a conversation on a duplex, and holds what the other side says against the transcript. Gives the
 * values of the names. The duplex has one reader, and that is the player.
 */
export const play = (
  transcript: Transcript | string,
  duplex: Duplex,
  options: Options = {}
): Effect.Effect<Captures, TranscriptSyntaxError | TranscriptMismatch> =>
  Effect.scoped(
    Effect.flatMap(typeof transcript === "string" ? parse(transcript) : Effect.succeed(transcript), (whole) =>
      perform(whole, duplex, options)
    )
  )
