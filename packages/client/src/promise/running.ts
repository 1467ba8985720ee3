import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"

/** A value, or a promise of one. */
export type Awaitable<A> = A | PromiseLike<A>

/** Runs an effect as a promise: it rejects with what the effect fails with, and, when it is aborted, with the signal's reason. */
export const run = async <A, E>(effect: Effect.Effect<A, E>, signal?: AbortSignal): Promise<A> => {
  signal?.throwIfAborted()
  const exit = await Effect.runPromiseExit(effect, signal === undefined ? {} : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  if (Cause.hasInterruptsOnly(exit.cause)) signal?.throwIfAborted()
  throw Cause.squash(exit.cause)
}

/** What a function does, as an effect: what it throws is how that fails, and interrupting aborts the signal. */
export const running = <A>(act: (signal: AbortSignal) => Awaitable<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: async (signal) => act(signal), catch: (thrown) => thrown })

/** A stream as what `for await` goes through; leaving the loop, or aborting, ends it. */
export const iterate = <A, E>(stream: Stream.Stream<A, E>, signal?: AbortSignal): AsyncIterable<A> =>
  Stream.toAsyncIterable(signal === undefined ? stream : Stream.interruptWhen(stream, aborted(signal)))

/** Dies of the reason once the signal is aborted. */
const aborted = (signal: AbortSignal): Effect.Effect<never> =>
  Effect.callback((resume) => {
    const abort = (): void => resume(Effect.die(signal.reason))
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", abort))
  })
