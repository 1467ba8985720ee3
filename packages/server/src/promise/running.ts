import { Principal } from "@effective-mcp/protocol"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Call as Current } from "../Call.ts"
import type { Call } from "./Call.ts"

/** A value, or a promise of one. */
export type Awaitable<A> = A | PromiseLike<A>

/** A promise that nobody has to wait for: when it rejects and nobody does, that is no fault of the process. */
const heeded = <A>(promise: Promise<A>): Promise<A> => {
  promise.catch(() => {})
  return promise
}

/** Runs an effect of a call. Where the call has ended first, `ended` says whether to reject. */
const settle = <A, E>(
  effect: Effect.Effect<A, E>,
  context: Context.Context<Current>,
  signal: AbortSignal,
  ended: (reject: (reason: unknown) => void) => void
): Promise<A> =>
  heeded(
    new Promise((resolve, reject) => {
      if (signal.aborted) return ended(reject)
      void Effect.runPromiseExitWith(context)(effect, { signal }).then((exit) => {
        if (Exit.isSuccess(exit)) resolve(exit.value)
        else if (Cause.hasInterruptsOnly(exit.cause)) ended(reject)
        else reject(Cause.squash(exit.cause))
      })
    })
  )

const callOf = (context: Context.Context<Current>, current: Current["Service"], signal: AbortSignal): Call => {
  const { client, clientCapabilities, meta, request } = current
  const say = (effect: Effect.Effect<void>) => settle(effect, context, signal, (reject) => reject(signal.reason))
  return {
    request,
    meta,
    client,
    clientCapabilities,
    principal: Context.getOrUndefined(context, Principal),
    signal,
    progress: (...report) => say(current.progress(...report)),
    log: (...entry) => say(current.log(...entry)),
    // nothing that a handler catches may let it go on: its promise stays as it is
    ask: (questions, options) => settle(current.ask(questions, options), context, signal, () => {})
  }
}

/** What a function does for a call. What it throws is how the effect fails; interrupting aborts its signal. */
export const running = <A>(run: (call: Call) => Awaitable<A>): Effect.Effect<A, unknown, Current> =>
  Effect.flatMap(Effect.context<Current>(), (context) =>
    Effect.flatMap(Current, (current) =>
      Effect.tryPromise({
        try: async (signal) => run(callOf(context, current, signal)),
        catch: (thrown) => thrown
      })
    )
  )
