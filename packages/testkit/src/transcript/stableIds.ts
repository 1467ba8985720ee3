import { JsonRpc, Meta } from "@effective-mcp/protocol"
import { escape } from "./pattern.ts"

/** Who says something: we, at the end that is recorded, or the other side. */
export type Side = "ours" | "theirs"

const key = (id: JsonRpc.RequestId): string => JSON.stringify(id)

/**
 * Gives ids that are the same in every recording: our requests are counted from 1, those of the other side get names,
 * `$theirs1` and so on, since a replay hears other ids. An id that belongs to no request stays as it is.
 */
export const makeStableIds = () => {
  const given: Record<Side, Map<string, unknown>> = { ours: new Map(), theirs: new Map() }
  const give = (side: Side, id: JsonRpc.RequestId): unknown => {
    // an id that comes again is another request
    const stable = side === "ours" ? given.ours.size + 1 : `$theirs${given.theirs.size + 1}`
    given[side].set(key(id), stable)
    return stable
  }
  const find = (side: Side, id: unknown): unknown => {
    const stable = JsonRpc.isRequestId(id) ? given[side].get(key(id)) : undefined
    if (stable !== undefined) return stable
    return typeof id === "string" ? escape(id) : id
  }
  const other = (side: Side): Side => (side === "ours" ? "theirs" : "ours")

  /** What stands for the ids of a message, by their places in it. */
  return (side: Side, message: JsonRpc.Message): ReadonlyMap<string, unknown> => {
    const places = new Map<string, unknown>()
    if (JsonRpc.isRequest(message)) {
      places.set("id", give(side, message.id))
      const { progressToken } = Meta.of(message.params)
      if (progressToken === message.id) places.set("params._meta.progressToken", find(side, progressToken))
      return places
    }
    if (JsonRpc.isResponse(message)) {
      places.set("id", find(other(side), message.id))
      const { [Meta.SUBSCRIPTION_ID]: of } = Meta.of(JsonRpc.isSuccess(message) ? message.result : undefined)
      if (of !== undefined) places.set(`result._meta.${Meta.SUBSCRIPTION_ID}`, find(other(side), of))
      return places
    }
    const { params } = message
    // a server ends an open subscription with a cancel that names the client's request
    const { requestId } = params ?? {}
    if (JsonRpc.isRequestId(requestId)) {
      places.set(
        "params.requestId",
        given[side].has(key(requestId)) ? find(side, requestId) : find(other(side), requestId)
      )
    }
    if (JsonRpc.isRequestId(params?.progressToken)) {
      places.set("params.progressToken", find(other(side), params.progressToken))
    }
    const { [Meta.SUBSCRIPTION_ID]: of } = Meta.of(params)
    if (of !== undefined) places.set(`params._meta.${Meta.SUBSCRIPTION_ID}`, find(other(side), of))
    return places
  }
}
