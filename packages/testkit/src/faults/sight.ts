import { Frame, JsonRpc, Meta } from "@effective-mcp/protocol"
import type { Direction, Kind } from "./Rule.ts"

/** What a fault may depend on. */
export interface Seen {
  readonly kind: Kind
  readonly method: string | undefined
  /** The exchanges that the message is part of: messages that share one keep their order. */
  readonly exchanges: ReadonlyArray<string>
}

/** Requests whose response may still come, of each side. */
const REMEMBERED = 1024

const outside = "outside any exchange"

/** `1` and `"1"` are different ids; both sides may use the same. Two exchanges of one id only keep more order than they need. */
const nameOf = (id: unknown): string => (JsonRpc.isRequestId(id) ? JSON.stringify(id) : outside)

const exchangeOf = (message: JsonRpc.Message): string => {
  if ("id" in message) return nameOf(message.id)
  if (!("method" in message)) return outside
  const { method, params } = message
  if (method === "notifications/cancelled") return nameOf(params?.requestId)
  return nameOf(params?.progressToken ?? Meta.of(params)[Meta.SUBSCRIPTION_ID])
}

/** Looks at the frames of one wire, both ways, and remembers what responses will belong to. */
export const makeSight = () => {
  const asked: Record<Direction, Map<JsonRpc.RequestId, string>> = { in: new Map(), out: new Map() }
  const remember = (direction: Direction, { id, method }: JsonRpc.Request): void => {
    const open = asked[direction]
    open.set(id, method)
    if (open.size <= REMEMBERED) return
    for (const oldest of open.keys()) {
      open.delete(oldest)
      break
    }
  }
  return (direction: Direction, frame: Frame.Frame): Seen => {
    if (frame instanceof Frame.Malformed) return { kind: "malformed", method: undefined, exchanges: [nameOf(frame.id)] }
    if (Frame.isBatch(frame)) {
      const exchanges = frame.map((one) => (one instanceof Frame.Malformed ? nameOf(one.id) : exchangeOf(one)))
      return { kind: "batch", method: undefined, exchanges }
    }
    const exchanges = [exchangeOf(frame)]
    if (JsonRpc.isRequest(frame)) {
      remember(direction, frame)
      return { kind: "request", method: frame.method, exchanges }
    }
    if (JsonRpc.isNotification(frame)) return { kind: "notification", method: frame.method, exchanges }
    const open = asked[direction === "in" ? "out" : "in"]
    const method = JsonRpc.isRequestId(frame.id) ? open.get(frame.id) : undefined
    return { kind: "response", method, exchanges }
  }
}
