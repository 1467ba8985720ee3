import {
  Closing,
  type ClosingService,
  ErrorCode,
  type JsonRpc,
  type Lasting,
  limits,
  type ListenResult,
  Meta,
  RpcError,
  type ServerCapabilities,
  type SubscriptionFilter
} from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Call } from "../Call.ts"
import type { Change, List } from "../Changes.ts"
import type { Hub, Listening } from "../changes/Hub.ts"
import { Pending } from "../changes/Pending.ts"
import type { Core, Operation, Say } from "../Core.ts"
import { isTraced } from "../telemetry.ts"

const refusal = (message: string): RpcError => new RpcError({ code: ErrorCode.InternalError, message })

/** How many characters some URIs are. */
export const charsOf = (uris: ReadonlyArray<string>): number => uris.reduce((sum, { length }) => sum + length, 0)

/** The lists of a wish whose changes the server tells of at all. */
const grantLists = <R>({ capabilities }: Core<R>, wish: SubscriptionFilter): SubscriptionFilter => {
  const { prompts, resources, tools }: ServerCapabilities = capabilities
  return {
    ...(wish.toolsListChanged === true && tools?.listChanged === true ? { toolsListChanged: true } : undefined),
    ...(wish.promptsListChanged === true && prompts?.listChanged === true ? { promptsListChanged: true } : undefined),
    ...(wish.resourcesListChanged === true && resources?.listChanged === true
      ? { resourcesListChanged: true }
      : undefined)
  }
}

/** What of a wish is granted: lists, and the resources that the caller may read. */
const grant = <R>(core: Core<R>, wish: SubscriptionFilter): Effect.Effect<SubscriptionFilter, never, R | Call> => {
  const lists = grantLists(core, wish)
  if (wish.resourceSubscriptions === undefined || core.capabilities.resources?.subscribe !== true)
    return Effect.succeed(lists)
  const uris = [...new Set(wish.resourceSubscriptions)]
  return Effect.map(core.readable(uris), (resourceSubscriptions) => ({ ...lists, resourceSubscriptions }))
}

const FLAGS = {
  tools: "toolsListChanged",
  prompts: "promptsListChanged",
  resources: "resourcesListChanged"
} as const satisfies { readonly [L in List]: keyof SubscriptionFilter }

const LIST_CHANGED = {
  tools: "notifications/tools/list_changed",
  prompts: "notifications/prompts/list_changed",
  resources: "notifications/resources/list_changed"
} as const

/** Tells of one change, as every subscription and every legacy session does. */
export const tell = (say: Say, change: Change, meta?: { readonly _meta: JsonRpc.JsonObject }): Effect.Effect<void> =>
  change._tag === "Updated"
    ? say("notifications/resources/updated", { ...meta, uri: change.uri })
    : say(LIST_CHANGED[change.list], { ...meta })

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
        if (closing.keep === undefined || !isBare || isTraced(fiber)) return whole(subscription, begun, closing)
        closing.keep(subscription)
        return Effect.as(begun, subscription.tag)
      }),
    lists: isBare
      ? (wish, id, say, closing) => {
          const subscription = enter(wish, id, say)
          if (subscription instanceof RpcError) return subscription
          closing.keep?.(subscription)
          return { tag: subscription.tag, acknowledged: subscription.attend(grantLists(core, wish)) }
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

/** What the subscriptions of one server share. */
interface Room {
  readonly hub: Hub
  open: number
}

/** One that is open: many are at once, for long, and most say nothing. */
class Subscription implements Listening, Lasting {
  readonly tag: { readonly _meta: JsonRpc.JsonObject }
  private readonly say: Say
  private readonly room: Room
  private readonly chars: number
  private readonly pending = new Pending()
  private granted: SubscriptionFilter = {}
  private uris: ReadonlySet<string> | undefined
  private isOver = false
  private wake: (() => void) | undefined

  constructor(id: JsonRpc.RequestId, say: Say, room: Room, chars: number) {
    this.tag = { _meta: { [Meta.SUBSCRIPTION_ID]: id } }
    this.say = say
    this.room = room
    this.chars = chars
    room.open++
  }

  /** Hears of changes from now on, and says of which ones. */
  attend(granted: SubscriptionFilter): Effect.Effect<void> {
    this.granted = granted
    if (granted.resourceSubscriptions !== undefined) this.uris = new Set(granted.resourceSubscriptions)
    const { hub } = this.room
    return hub.joinOthers(this) ? this.acknowledge() : Effect.flatMap(hub.join(this), () => this.acknowledge())
  }

  private acknowledge(): Effect.Effect<void> {
    return this.say("notifications/subscriptions/acknowledged", { notifications: this.granted, ...this.tag })
  }

  hear(change: Change): void {
    const isWanted = change._tag === "Updated" ? this.uris?.has(change.uri) : this.granted[FLAGS[change.list]]
    if (isWanted === true) this.pending.add(change)
  }

  end(): void {
    this.isOver = true
    this.wake?.()
  }

  leave(): Effect.Effect<void> {
    const { chars, room } = this
    room.open--
    if (chars > 0) room.hub.take(-chars)
    return room.hub.leave(this)
  }

  /** Tells of changes until all is over. */
  rest(): Effect.Effect<void> {
    const filled = Effect.callback<void>((resume) => {
      const wake = (): void => resume(Effect.void)
      this.wake = wake
      if (this.isOver) wake()
      else this.pending.onFilled(wake)
    })
    return Effect.flatMap(filled, () => {
      if (this.isOver) return Effect.void
      const changes = this.pending.take()
      const told =
        changes.length === 1
          ? tell(this.say, changes[0]!, this.tag)
          : Effect.forEach(changes, (change) => tell(this.say, change, this.tag), { discard: true })
      return Effect.flatMap(told, () => this.rest())
    })
  }
}
