import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { TransportError } from "@effective-mcp/protocol"

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters)`
}

/** Something on trial did not do what its contract says. */
export class Mismatch extends Data.TaggedError("Mismatch")<{
  readonly what: string
  readonly expected: unknown
  readonly actual: unknown
}> {
  override get message(): string {
    return `${this.what}: expected ${show(this.expected)}, got ${show(this.actual)}`
  }
}

/** Whether both are the same JSON: own members only, in any order. */
export const isSame = (left: unknown, right: unknown): boolean => {
  if (Object.is(left, right)) return true
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const [mine, theirs] = [new Map(Object.entries(left)), new Map(Object.entries(right))]
  if (mine.size !== theirs.size) return false
  for (const [key, value] of mine) if (!theirs.has(key) || !isSame(value, theirs.get(key))) return false
  return true
}

/** Fails unless both are the same JSON: own members only, in any order. */
export const equal = (actual: unknown, expected: unknown, what: string): Effect.Effect<void, Mismatch> =>
  Effect.suspend(() => (isSame(actual, expected) ? Effect.void : Effect.fail(new Mismatch({ what, expected, actual }))))

/** The `TransportError` that an exit holds; fails when it holds anything else, a defect included. */
export const transportErrorOf = (
  exit: Exit.Exit<unknown, unknown>,
  what: string
): Effect.Effect<TransportError, Mismatch> =>
  Effect.suspend(() => {
    const reason = Exit.isFailure(exit) ? exit.cause.reasons.find(({ _tag }) => _tag === "Fail") : undefined
    return reason?._tag === "Fail" && reason.error instanceof TransportError
      ? Effect.succeed(reason.error)
      : Effect.fail(new Mismatch({ what, expected: "a TransportError", actual: exit }))
  })
