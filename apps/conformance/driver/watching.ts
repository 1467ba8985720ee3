import { type CallError, type Client, type Heard, Subscriptions, type SubscriptionFilter } from "@effective-mcp/client"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import type { Options } from "./options.ts"
import { event, toOutcome } from "./output.ts"

const told = (change: object): void => event("change", { change })

/** Tells of changes until it is interrupted, or the server ends it. */
export const follow = (
  client: Client.Client,
  wish: SubscriptionFilter,
  { reopenings }: Options,
  hear: (change: Subscriptions.Change) => void = told
): Effect.Effect<void, CallError> =>
  Effect.suspend(() =>
    Stream.runForEach(Subscriptions.listen(client, wish, { reopenings }), (change) => Effect.sync(() => hear(change)))
  )

/**
 * Tells of a resource in the background, until the script ends. Its value is what the server has taken of the wish; a
 * subscription that ends later is warned of.
 */
export const subscribe = Effect.fnUntraced(function* (client: Client.Client, uri: string, options: Options) {
  const taken = yield* Deferred.make<object, CallError>()
  const hear = (change: Subscriptions.Change): void => {
    told(change)
    if (change._tag !== "Listening") return
    const { granted, refused } = change
    Deferred.doneUnsafe(taken, Effect.succeed({ granted, refused }))
  }
  const following = Effect.onExit(follow(client, { resourceSubscriptions: [uri] }, options, hear), (exit) =>
    Effect.sync(() => {
      const isFirst = Deferred.doneUnsafe(
        taken,
        Exit.isSuccess(exit) ? Effect.succeed({}) : Effect.failCause(exit.cause)
      )
      if (!isFirst && !Exit.hasInterrupts(exit))
        event("warning", { message: "a subscription has ended", ...toOutcome(exit) })
    })
  )
  const fiber = yield* Effect.forkScoped(Effect.ignore(following), { startImmediately: true })
  return yield* Effect.onInterrupt(Deferred.await(taken), () => Fiber.interrupt(fiber))
})

const isChange = ({ _tag }: Heard): boolean => _tag !== "Logged"

/** Has the server's own stream read, and tells of all that it says there. */
export const openStream = ({ hub }: Client.Client): void => {
  hub.listen((heard) => {
    if (isChange(heard)) told(heard)
  })
}

/** Tells of what the server logs. */
export const tellLogs = ({ hub }: Client.Client): void => {
  hub.onHeard((heard) => {
    if (heard._tag === "Logged") event("log", heard.message)
  })
}
