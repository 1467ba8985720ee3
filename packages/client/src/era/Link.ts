import {
  type Connection,
  type Era,
  type Handler,
  JsonRpc,
  Peer,
  type Progress,
  RpcError,
  type TransportError
} from "@effective-mcp/protocol"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Bounds, make as makeDeadlines, type Pulse, timedOut } from "../Deadlines.ts"
import type { RequestOptions } from "../Session.ts"

/** One connection with what every request on it shares: fresh ids, deadlines, and answers to what the server asks. */
export interface Link {
  /** `params` makes the parameters for the id that the request gets, which is its progress token as well. */
  readonly call: (
    method: string,
    params: (id: JsonRpc.RequestId) => JsonRpc.JsonObject,
    options: RequestOptions
  ) => Effect.Effect<JsonRpc.Response, TransportError>
  /** How long a request waits by default, in ms. */
  readonly timeoutMs: number
  /** A request that stays open: no deadline is its own. */
  readonly attend: (
    method: string,
    params: (id: JsonRpc.RequestId) => JsonRpc.JsonObject,
    hear: (said: JsonRpc.Notification, id: JsonRpc.RequestId) => void
  ) => Effect.Effect<JsonRpc.Response, TransportError>
  readonly notify: (method: string) => Effect.Effect<void, TransportError>
  /** From now on the server is of this era. Until then its requests are answered: it may be a legacy one. */
  readonly settle: (era: Era) => void
}

export interface Timeouts {
  readonly timeout: Duration.Input
  readonly totalTimeout: Duration.Input
}

const isFinite = (value: unknown): value is number => Number.isFinite(value)

/**
 * What a report says, if it says more than `last`: progress only ever increases.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 */
const toProgress = ({ params = {} }: JsonRpc.Notification, last: number): Progress | undefined => {
  const { message, progress, total } = params
  if (!isFinite(progress) || progress <= last) return undefined
  return {
    progress,
    ...(isFinite(total) ? { total } : undefined),
    ...(typeof message === "string" ? { message } : undefined)
  }
}

export const open = Effect.fnUntraced(function* <R>(
  transport: Effect.Effect<Connection, TransportError, R | Scope.Scope>,
  defaults: Timeouts,
  host: Handler
): Effect.fn.Return<Link, TransportError, R | Scope.Scope> {
  const connection = yield* transport
  const deadlines = yield* makeDeadlines
  const bound = (timeout = defaults.timeout, totalTimeout = defaults.totalTimeout): Bounds => ({
    requestMs: Duration.toMillis(timeout),
    totalMs: Duration.toMillis(totalTimeout)
  })
  const usual = bound()
  let era: Era | undefined
  let ids = 0
  let ignored = 0

  /** Says so the first time, and ever more rarely. */
  const ignore: Effect.Effect<void> = Effect.suspend(() => {
    const count = ++ignored
    return (count & (count - 1)) === 0
      ? Effect.logWarning(`A modern server sent a request of its own, which is ignored; ${count} so far`)
      : Effect.void
  })
  /** A modern server asks nothing this way, and a client writes no response to it. */
  const send: Connection["send"] = (message) =>
    era === "modern" && !("method" in message) ? ignore : connection.send(message)
  yield* Peer.serve({ ...connection, send }, host).pipe(Effect.ignore, Effect.forkScoped({ startImmediately: true }))

  const refuse = ({ id, method }: JsonRpc.Request): Effect.Effect<void> =>
    Effect.ignore(send(JsonRpc.failure(id, RpcError.methodNotFound(method).toObject())))

  return {
    timeoutMs: usual.requestMs,
    settle: (settled) => {
      era = settled
    },
    notify: (method) =>
      Effect.timeoutOrElse(connection.send(JsonRpc.notification(method)), {
        duration: usual.requestMs,
        orElse: () => Effect.fail(timedOut(method, usual.requestMs, "NotSent"))
      }),
    attend: (method, params, hear) =>
      Effect.suspend(() => {
        const id = ++ids
        return connection.exchange(JsonRpc.request(id, method, params(id)), (said) =>
          "id" in said ? refuse(said) : Effect.sync(() => hear(said, id))
        )
      }),
    call: (method, params, { onProgress, timeout, totalTimeout }) =>
      Effect.suspend(() => {
        const id = ++ids
        const bounds = timeout === undefined && totalTimeout === undefined ? usual : bound(timeout, totalTimeout)
        let last = -Infinity
        const exchange = ({ alive, hold }: Pulse) =>
          connection.exchange(JsonRpc.request(id, method, params(id)), (said) => {
            if ("id" in said) return refuse(said)
            if (said.method !== "notifications/progress") return host.notify(said)
            alive()
            const report = onProgress === undefined ? undefined : toProgress(said, last)
            if (report === undefined) return Effect.void
            last = report.progress
            const hearing = onProgress?.(report)
            if (hearing === undefined) return Effect.void
            // what comes meanwhile is not heard yet, and no sign of a server that is silent
            hold()
            return Effect.ensuring(hearing, Effect.sync(alive))
          })
        const { abandon } = connection
        return deadlines.within(method, bounds, exchange, abandon && ((error) => abandon(id, error)))
      })
  }
})
