import {
  Closing,
  type ClosingService,
  ErrorCode,
  type JsonRpc,
  limits,
  type ListenResult,
  listsToldOf,
  RpcError,
  type SubscriptionFilter,
  Telemetry
} from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Call } from "../Call.ts"
import type { Hub } from "../changes/Hub.ts"
import type { Core, Operation, Say } from "../Core.ts"
import { type Room, Subscription } from "./Subscription.ts"

const refusal = (message: string): RpcError => new RpcError({ code: ErrorCode.InternalError, message })

/** How many characters some URIs are. */
export const charsOf = (uris: ReadonlyArray<string>): number => uris.reduce((sum, { length }) => sum + length, 0)

/** What of a wish is granted: lists, and the resources that the caller may read. */
const grant = <R>(core: Core<R>, wish: SubscriptionFilter): Effect.Effect<SubscriptionFilter, never, R | Call> => {
  const lists = listsToldOf(wish, core.capabilities)
  if (wish.resourceSubscriptions === undefined || core.capabilities.resources?.subscribe !== true)
    return Effect.succeed(lists)
  const uris = [...new Set(wish.resourceSubscriptions)]
  return Effect.map(core.readable(uris), (resourceSubscriptions) => ({ ...lists, resourceSubscriptions }))
}

/** The subscriptions of one server. */
export interface Listens<R> {
  readonly operation: Operation<"subscriptions/listen", R>
  /**
   * Begins one for what most clients wish for, lists alone, where `closing` keeps it: nobody needs its call. Undefined
   * where something goes around every operation.
   */
  readonly lists:
    | ((wish: SubscriptionFilter, id: JsonRpc.RequestId, say: Say, closing: ClosingService) => Begun | RpcError)
    | undefined
}

/** A subscription once `acknowledged` has completed; `tag` is its result. */
interface Begun {
  readonly tag: ListenResult
  readonly acknowledged: Effect.Effect<void>
}

/**
 * Makes subscriptions. Each acknowledges what it grants, and then tells of each change, tagged with its own id, until the
 * client leaves or the server ends it. Changes of one turn are told once; a client that reads slowly is told once of
 * all that has changed meanwhile, so that nothing is lost and nothing piles up.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export const make = <R>(core: Core<R>, hub: Hub): Listens<R> => {
  const room: Room = { hub, open: 0 }
  const isBare = core.middleware.length === 0
  const enter = (wish: SubscriptionFilter, id: JsonRpc.RequestId, say: Say): Subscription | RpcError => {
    const asked = wish.resourceSubscriptions
    const chars = asked === undefined ? 0 : charsOf(asked)
    if (asked !== undefined && (asked.length > limits.watched || chars > limits.wishChars))
      return RpcError.invalidParams("Invalid params: too many resources, or too long URIs")
    const hasRoom = room.open < limits.subscriptions && (chars === 0 || hub.take(chars))
    if (!hasRoom) return refusal("Too many subscriptions")
    return new Subscription(id, say, room, chars)
  }
  return {
    operation: ({ notifications: wish }, { request, say }) =>
      Effect.withFiber((fiber) => {
        const subscription = enter(wish, request.id, say)
        if (subscription instanceof RpcError) return Effect.fail(subscription)
        const closing = Context.get(fiber.context, Closing)
        const begun = Effect.flatMap(grant(core, wish), (granted) => subscription.attend(granted))
        // what goes around the whole of it, goes on for as long
        if (closing.keep === undefined || !isBare || Telemetry.isTraced(fiber))
          return whole(subscription, begun, closing)
        closing.keep(subscription)
        return Effect.as(begun, subscription.tag)
      }),
    lists: isBare
      ? (wish, id, say, closing) => {
          const subscription = enter(wish, id, say)
          if (subscription instanceof RpcError) return subscription
          closing.keep?.(subscription)
          return { tag: subscription.tag, acknowledged: subscription.attend(listsToldOf(wish, core.capabilities)) }
        }
      : undefined
  }
}

/** One that nobody else keeps. */
const whole = <R>(
  subscription: Subscription,
  begun: Effect.Effect<void, never, R>,
  closing: ClosingService
): Effect.Effect<ListenResult, never, R> => {
  const ignore = closing.onClose(() => subscription.end())
  return Effect.ensuring(
    Effect.as(
      Effect.flatMap(begun, () => subscription.rest()),
      subscription.tag
    ),
    Effect.suspend(() => {
      ignore()
      return subscription.leave()
    })
  )
}
