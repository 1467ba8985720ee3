import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { ConnectTargetError, type Reason, type Step } from "./ConnectTargetError.ts"
import { fixOf } from "./fixOf.ts"
import { monotonicMs } from "./monotonicMs.ts"
import { redacting, throughout } from "./redact.ts"
import type { Situation } from "./Situation.ts"

/** As many characters of what came of a step are kept, and of a program's standard error. */
const CAME = 300
const STDERR = 4_096
const STEPS = 32
/** Values that are sent, beside those that were given, and that no error repeats. */
const WITHHELD = 64

const oneLine = (text: string): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim()
  return line.length > CAME ? `${line.slice(0, CAME)}…` : line
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
  /** Hears of values that are sent and that no error repeats, until the ladder has been climbed. */
  readonly withhold: (values: ReadonlyArray<string>) => void
  readonly fail: (reason: Reason) => ConnectTargetError
}

/**
 * @param target as errors show it
 * @param secrets what no error repeats
 */
export const make = (target: string, secrets: ReadonlyArray<string> = [], situation?: Situation): Ladder => {
  const steps: Array<Step> = []
  const withheld = new Set(secrets)
  const most = withheld.size + WITHHELD
  let hide = redacting(secrets)
  // before it is cut, or a part of a secret would be left
  const shown = (text: string): string => oneLine(hide(text))
  /** The last of what was overheard; undefined once nobody is interested any more. */
  let overheard: string | undefined = ""
  const note = ({ came, ms, tried }: Step): void => {
    if (steps.length < STEPS) steps.push({ tried: shown(tried), came: shown(came), ms })
  }
  return {
    note,
    overhear: (chunk) => {
      if (overheard !== undefined) overheard = (overheard + chunk).slice(-STDERR)
    },
    withhold: (values) => {
      const fresh = values.filter((value) => !withheld.has(value))
      if (overheard === undefined || fresh.length === 0 || withheld.size + fresh.length > most) return
      for (const value of fresh) withheld.add(value)
      hide = redacting([...withheld])
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
      const heard = isHeard ? { ...reason, stderr: overheard! } : reason
      const hasMore = "stderr" in heard && heard.stderr !== undefined && heard.stderr.length > STDERR
      const said = throughout(hasMore ? { ...heard, stderr: heard.stderr.slice(-STDERR) } : heard, hide)
      return new ConnectTargetError({
        target: shown(target),
        reason: said,
        steps: [...steps],
        fix: fixOf(said, situation)
      })
    }
  }
}
