import { Invalid, JsonRpc, limits, Meta, RpcError, type SubscriptionFilter, Violation } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type CallError, NotOffered } from "../ClientError.ts"
import { timedOut } from "../Deadlines.ts"
import { type Hub, read, type ServerChange } from "../Hub.ts"
import type { Watch } from "../Session.ts"
import { filterOf, LISTS } from "../subscriptions/filter.ts"
import type { Line } from "./Line.ts"
import type { Link } from "./Link.ts"
import type { Manner } from "./session.ts"

const method = "subscriptions/listen"

/** What both ask for. */
const common = (wish: SubscriptionFilter, taken: SubscriptionFilter): SubscriptionFilter => {
  const uris = new Set(taken.resourceSubscriptions)
  const shared = wish.resourceSubscriptions?.filter((uri) => uris.has(uri)) ?? []
  const lists = LISTS.filter((list) => wish[list] === true && taken[list] === true)
  return filterOf(lists, shared)
}

/** Whether a subscription was granted this; a resource that changed may be part of one that was asked for. */
const isGranted = (granted: SubscriptionFilter, change: ServerChange): boolean =>
  change._tag === "Updated"
    ? granted.resourceSubscriptions !== undefined
    : granted[`${change.list}ListChanged`] === true

/**
 * `subscriptions/listen`: one request that stays open. Its deadline is that of the acknowledgement; what does not carry
 * its id, what comes before the acknowledgement, and what was not granted is let pass.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export const watchModern =
  (link: Link, { meta, revision }: Manner, hub: Hub, line: Line): Watch =>
  (wish, hear) =>
    Effect.suspend((): Effect.Effect<void, CallError> => {
      const codec = revision.methods[method]
      const acknowledged = revision.notifications.fromServer["notifications/subscriptions/acknowledged"]
      if (codec === undefined || acknowledged === undefined) return Effect.fail(new NotOffered({ capability: method }))
      const taken = Deferred.makeUnsafe<void, CallError>()
      let granted: SubscriptionFilter | undefined
      const hearFirst = (params: JsonRpc.JsonObject): void => {
        const ack = acknowledged.decodeParams(params)
        if (ack instanceof Invalid) {
          const where = { revision: revision.version, method, detail: ack.detail }
          Deferred.doneUnsafe(taken, Effect.fail(new Violation(where)))
          return
        }
        granted = common(wish, ack.notifications)
        hear({ _tag: "Taken", granted })
        Deferred.doneUnsafe(taken, Effect.void)
      }
      /** Over HTTP, where it comes on the stream itself; a pipe ends the exchange for it. */
      const isEnd = (said: JsonRpc.Notification, id: JsonRpc.RequestId): boolean =>
        said.method === "notifications/cancelled" && said.params?.requestId === id
      const ended = Deferred.makeUnsafe<void>()
      const listening = link.attend(
        method,
        () => ({ ...codec.encodeParams({ notifications: wish }), _meta: meta }),
        (said, id) => {
          if (isEnd(said, id)) return void Deferred.doneUnsafe(ended, Effect.void)
          const { params = {} } = said
          if (Meta.of(params)[Meta.SUBSCRIPTION_ID] !== id) return
          if (said.method === "notifications/subscriptions/acknowledged") {
            if (granted === undefined) hearFirst(params)
            return
          }
          const heard = granted === undefined ? undefined : read(revision, said)
          if (heard === undefined || (heard._tag !== "ListChanged" && heard._tag !== "Updated")) return
          if (granted === undefined || !isGranted(granted, heard)) return
          hub.tell(heard)
          hear(heard)
        }
      )
      const inTime = Effect.timeoutOrElse(Deferred.await(taken), {
        duration: link.timeoutMs,
        orElse: () => Effect.fail(timedOut(method, link.timeoutMs))
      })
      const told = Effect.flatMap(listening, (response): Effect.Effect<void, CallError> => {
        if (!JsonRpc.isSuccess(response)) return Effect.fail(RpcError.fromObject(response.error))
        // no older server has this method: the type is never left out
        if (response.result.resultType === "complete") return Effect.void
        const detail = "it ends with a result that is not complete"
        return Effect.fail(new Violation({ revision: revision.version, method, detail }))
      })
      const listened = Effect.raceFirst(told, Effect.andThen(inTime, Deferred.await(ended)))
      return Effect.catchTag(listened, "TransportError", (error) => {
        const failed = Effect.fail(error)
        if (!line.isPipe || error.reason._tag !== "Closed") return failed
        // a cancel of the server's fails it in the same way as the end of the pipe, which is seen at once
        return Effect.timeoutOrElse(Effect.andThen(line.ended, failed), {
          duration: limits.farewellMs,
          orElse: () => Effect.void
        })
      })
    })
