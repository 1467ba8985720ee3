import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { ConnectTargetError, type Reason, type Step } from "./ConnectTargetError.ts"
import { fixOf } from "./fixOf.ts"
import { monotonicMs } from "./monotonicMs.ts"
import { redacting } from "./redact.ts"
import type { Situation } from "./Situation.ts"

/** As many characters of what came of a step are kept, and of a program's standard error. */
const CAME = 300
const STDERR = 4_096
const STEPS = 32

const oneLine = (text: string): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim()
  return line.length > CAME ? `${line.slice(0, CAME)}…` : line
}

/** All texts of a reason, through a function. */
const through = (reason: Reason, hide: (text: string) => string): Reason => {
  if (reason._tag === "ServersFailed") return reason
  const entries = Object.entries(reason).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map((one) => (typeof one === "string" ? hide(one) : one))] as const
    if (name === "_tag" || typeof value !== "string") return [name, value] as const
    return [name, name === "stderr" ? hide(value).slice(-STDERR) : hide(value)] as const
  })
  return Object.fromEntries(entries) as unknown as Reason // cast: the members of a reason, with other texts
}

/** What has been tried to reach a target, for the error if nothing comes of it. */
export interface Ladder {
  /** Runs one attempt, and notes what came of it if that was nothing. */
  readonly climb: <A, E extends { readonly message: string }, R>(
    tried: string,
    attempt: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  readonly note: (step: Step) => void
  /** Hears what a program says on its standard error, until the ladder has been climbed. */
  readonly overhear: (chunk: string) => void
  readonly fail: (reason: Reason) => ConnectTargetError
}

/**
 * @param target as errors show it
 * @param secrets what no error repeats
 */
export const make = (target: string, secrets: ReadonlyArray<string> = [], situation?: Situation): Ladder => {
  const steps: Array<Step> = []
  const hide = redacting(secrets)
  /** The last of what was overheard; undefined once nobody is interested any more. */
  let overheard: string | undefined = ""
  const note = ({ came, ms, tried }: Step): void => {
    if (steps.length < STEPS) steps.push({ tried: hide(oneLine(tried)), came: hide(oneLine(came)), ms })
  }
  return {
    note,
    overhear: (chunk) => {
      if (overheard !== undefined) overheard = (overheard + chunk).slice(-STDERR)
    },
    climb: (tried, attempt) =>
      Effect.flatMap(monotonicMs, (begun) =>
        Effect.onExit(attempt, (exit) => {
          if (Exit.isSuccess(exit)) {
            overheard = undefined
            return Effect.void
          }
          const error = Cause.squash(exit.cause)
          const came = Cause.hasInterruptsOnly(exit.cause)
            ? "nothing yet"
            : error instanceof Error
              ? error.message
              : "it failed"
          return Effect.map(monotonicMs, (now) => note({ tried, came, ms: now - begun }))
        })
      ),
    fail: (reason) => {
      const isHeard = reason._tag === "Silent" && overheard !== undefined && overheard !== ""
      const shown = through(isHeard ? { ...reason, stderr: overheard! } : reason, hide)
      return new ConnectTargetError({
        target: hide(oneLine(target)),
        reason: shown,
        steps: [...steps],
        fix: fixOf(shown, situation)
      })
    }
  }
}
