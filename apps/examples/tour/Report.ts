import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** How long one check may take. */
const limit = "10 seconds"

/** How a line of a check begins. */
export const marks = { passed: "    ✓", failed: "    ✗" } as const

const widths = { asked: 38, answer: 68, error: 400 } as const

const onOneLine = (text: string, width: number): string => {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length > width ? `${line.slice(0, width - 1)}…` : line
}

/** Prints what is checked, a line each, and keeps count. */
export interface Report {
  readonly chapter: (title: string) => void
  /** Runs a check within a time limit, and shows the text that it gives; undefined when it failed. */
  readonly check: <A, R>(
    asked: string,
    run: Effect.Effect<A, unknown, R>,
    shown: (value: A) => string
  ) => Effect.Effect<A | undefined, never, R>
  readonly failed: () => number
}

const why = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

export const make = (print: (line: string) => void): Report => {
  let failed = 0
  return {
    chapter: (title) => print(`  ${title}`),
    check: (asked, run, shown) =>
      Effect.gen(function* () {
        const start = yield* Clock.currentTimeMillis
        const exit = yield* Effect.exit(Effect.timeout(run, limit))
        const ms = (yield* Clock.currentTimeMillis) - start
        if (Exit.isFailure(exit)) failed++
        const answer = Exit.isSuccess(exit)
          ? onOneLine(shown(exit.value), widths.answer)
          : onOneLine(why(exit.cause), widths.error)
        const mark = Exit.isSuccess(exit) ? marks.passed : marks.failed
        const columns = [
          onOneLine(asked, widths.asked).padEnd(widths.asked),
          `${Math.round(ms)} ms`.padStart(8),
          answer
        ]
        print(`${mark} ${columns.join("  ")}`)
        return Exit.isSuccess(exit) ? exit.value : undefined
      }),
    failed: () => failed
  }
}
