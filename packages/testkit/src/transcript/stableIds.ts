import { JsonRpc, Meta } from "@effective-mcp/protocol"
import { escape } from "./pattern.ts"

/** Who says something: we, at the end that is recorded, or the other side. */
export type Side = "ours" | "theirs"

const key = (id: JsonRpc.RequestId): string => JSON.stringify(id)

/**
 * Gives ids that are the same in every recording: our requests are counted from 1, those of the other side get names,
 * `$theirs1` and so on, since a replay hears other ids. Progress tokens follow their requests. What belongs to no request
 * stays as it is.
 */
export const makeStableIds = () => {
  const ids: Record<Side, Map<string, unknown>> = { ours: new Map(), theirs: new Map() }
  const tokens: Record<Side, Map<string, unknown>> = { ours: new Map(), theirs: new Map() }
  const asked: Record<Side, number> = { ours: 0, theirs: 0 }

  const find = (known: ReadonlyMap<string, unknown>, id: JsonRpc.RequestId): unknown =>
    known.get(key(id)) ?? (typeof id === "string" ? escape(id) : id)
  const other = (side: Side): Side => (side === "ours" ? "theirs" : "ours")

  const ofRequest = (side: Side, { id, params }: JsonRpc.Request, places: Map<string, unknown>): void => {
    // an id that comes again is another request
    const n = ++asked[side]
    const stable = side === "ours" ? n : `$theirs${n}`
    ids[side].set(key(id), stable)
    places.set("id", stable)
    const { progressToken: token } = Meta.of(params)
    if (!JsonRpc.isRequestId(token)) return
    const stableToken = side === "ours" || token === id ? stable : `$token${n}`
    tokens[side].set(key(token), stableToken)
    places.set("params._meta.progressToken", stableToken)
  }
  const ofNotification = (side: Side, params: JsonRpc.JsonObject, places: Map<string, unknown>): void => {
    const { progressToken, requestId } = params
    if (JsonRpc.isRequestId(progressToken)) {
      const theirs = other(side)
      // one that no request has named may still be the id of a request
      const known = tokens[theirs].has(key(progressToken)) ? tokens : ids
      places.set("params.progressToken", find(known[theirs], progressToken))
    }
    if (!JsonRpc.isRequestId(requestId)) return
    // a server ends an open subscription with a cancel that names the client's request
    const whose = ids[side].has(key(requestId)) ? side : other(side)
    places.set("params.requestId", find(ids[whose], requestId))
  }
  const ofSubscription = (
    side: Side,
    holder: "params" | "result",
    value: unknown,
    places: Map<string, unknown>
  ): void => {
    const { [Meta.SUBSCRIPTION_ID]: id } = Meta.of(JsonRpc.isObject(value) ? value : undefined)
    if (JsonRpc.isRequestId(id)) places.set(`${holder}._meta.${Meta.SUBSCRIPTION_ID}`, find(ids[other(side)], id))
  }

  /** What stands for the ids of a message, by their places in it. */
  return (side: Side, message: JsonRpc.Message): ReadonlyMap<string, unknown> => {
    const places = new Map<string, unknown>()
    if (JsonRpc.isRequest(message)) ofRequest(side, message, places)
    else if (JsonRpc.isNotification(message)) {
      ofNotification(side, message.params ?? {}, places)
      ofSubscription(side, "params", message.params, places)
    } else {
      if (JsonRpc.isRequestId(message.id)) places.set("id", find(ids[other(side)], message.id))
      if (JsonRpc.isSuccess(message)) ofSubscription(side, "result", message.result, places)
    }
    return places
  }
}
