import {
  Closing,
  type ClosingService,
  ErrorCode,
  type JsonRpc,
  limits,
  Meta,
  RpcError,
  type ServerCapabilities,
  type SubscriptionFilter
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Call } from "../Call.ts"
import type { Change, List } from "../Changes.ts"
import type { Hub } from "../changes/Hub.ts"
import { Pending } from "../changes/Pending.ts"
import type { Core, Operation, Say } from "../Core.ts"

const refusal = (message: string): RpcError => new RpcError({ code: ErrorCode.InternalError, message })

/** How many characters some URIs are. */
export const charsOf = (uris: ReadonlyArray<string>): number => uris.reduce((sum, { length }) => sum + length, 0)

/** What of a wish is granted: what the server tells of at all, and the resources that the caller may read. */
const grant = <R>(
  { capabilities, readable }: Core<R>,
  wish: SubscriptionFilter
): Effect.Effect<SubscriptionFilter, never, R | Call> => {
  const { prompts, resources, tools }: ServerCapabilities = capabilities
  const lists = {
    ...(wish.toolsListChanged === true && tools?.listChanged === true ? { toolsListChanged: true } : undefined),
    ...(wish.promptsListChanged === true && prompts?.listChanged === true ? { promptsListChanged: true } : undefined),
    ...(wish.resourcesListChanged === true && resources?.listChanged === true
      ? { resourcesListChanged: true }
      : undefined)
  }
  if (wish.resourceSubscriptions === undefined || resources?.subscribe !== true) return Effect.succeed(lists)
  const uris = [...new Set(wish.resourceSubscriptions)]
  return Effect.map(readable(uris), (resourceSubscriptions) => ({ ...lists, resourceSubscriptions }))
}

const wants = (granted: SubscriptionFilter): ((change: Change) => boolean) => {
  const uris = new Set(granted.resourceSubscriptions)
  const lists: { readonly [L in List]: boolean } = {
    tools: granted.toolsListChanged === true,
    prompts: granted.promptsListChanged === true,
    resources: granted.resourcesListChanged === true
  }
  return (change) => (change._tag === "Updated" ? uris.has(change.uri) : lists[change.list])
}

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

/**
 * A subscription: it acknowledges what it grants, and then tells of each change, tagged with its own id, until the
 * client leaves or the server ends it. Changes of one turn are told once; a client that reads slowly is told once of
 * all that has changed meanwhile, so that nothing is lost and nothing piles up.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export const listen = <R>(core: Core<R>, hub: Hub): Operation<"subscriptions/listen", R> => {
  let open = 0
  return ({ notifications: wish }, { request, say }) =>
    Effect.suspend(() => {
      const asked = wish.resourceSubscriptions ?? []
      const chars = charsOf(asked)
      if (asked.length > limits.watched || chars > limits.wishChars)
        return Effect.fail(RpcError.invalidParams("Invalid params: too many resources, or too long URIs"))
      if (open >= limits.subscriptions) return Effect.fail(refusal("Too many subscriptions"))
      if (!hub.take(chars)) return Effect.fail(refusal("Too many subscriptions"))
      open++
      return Effect.ensuring(
        Effect.flatMap(grant(core, wish), (granted) =>
          Effect.flatMap(Closing, (closing) => attend(granted, request, say, hub, closing))
        ),
        Effect.sync(() => {
          open--
          hub.take(-chars)
        })
      )
    })
}

const attend = (
  granted: SubscriptionFilter,
  { id }: JsonRpc.Request,
  say: Say,
  hub: Hub,
  closing: ClosingService
): Effect.Effect<{ readonly _meta: JsonRpc.JsonObject }> => {
  const tag = { _meta: { [Meta.SUBSCRIPTION_ID]: id } }
  const isWanted = wants(granted)
  const pending = new Pending()
  let isOver = false
  let wake: (() => void) | undefined
  const end = (): void => {
    isOver = true
    wake?.()
  }
  /** Until there is something to tell, or all is over. */
  const filled = Effect.callback<void>((resume) => {
    wake = () => resume(Effect.void)
    if (isOver) wake()
    else pending.onFilled(wake)
    return Effect.sync(() => pending.onFilled(undefined))
  })
  const telling: Effect.Effect<void> = Effect.flatMap(filled, () => {
    if (isOver) return Effect.void
    const changes = pending.take()
    const told =
      changes.length === 1
        ? tell(say, changes[0]!, tag)
        : Effect.forEach(changes, (change) => tell(say, change, tag), { discard: true })
    return Effect.flatMap(told, () => telling)
  })
  return Effect.scoped(
    hub
      .subscribe((change) => {
        if (isWanted(change)) pending.add(change)
      })
      .pipe(
        Effect.andThen(
          Effect.acquireRelease(
            Effect.sync(() => [hub.onEnd(end), closing.onClose(end)]),
            (stops) => Effect.sync(() => stops.forEach((stop) => stop()))
          )
        ),
        Effect.andThen(say("notifications/subscriptions/acknowledged", { notifications: granted, ...tag })),
        Effect.andThen(telling),
        Effect.as(tag)
      )
  )
}
