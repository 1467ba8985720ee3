import { type Connection, JsonRpc, type Reason, TransportError, withHttpStatus } from "@effective-mcp/protocol"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { serverInfo } from "./scripted.ts"

export const failing = (reason: Reason, outcome?: "NotSent" | "Rejected" | "Unknown") =>
  Effect.fail(TransportError.make(reason, outcome))

export const status = (code: number, retryAfterMs?: number) =>
  failing({ _tag: "HttpStatus", status: code, ...(retryAfterMs === undefined ? undefined : { retryAfterMs }) })

export const errorWith = (code: number, data?: unknown, status?: number) => Effect.succeed({ code, data, status })

type Answer = JsonRpc.JsonObject | { readonly code: number; readonly data: unknown; readonly status?: number }

/** The error that an answer is, with the status of the response that it came in. */
const errorOf = (code: number, data: unknown, status: unknown): JsonRpc.ErrorObject => {
  const error = { code, message: "no", data }
  if (typeof status === "number") withHttpStatus(error, status)
  return error
}

/** What a server over HTTP does with a request; any other method is not found. */
export type Act = (request: JsonRpc.Request, session: number) => Effect.Effect<Answer, TransportError>

export const initialized: Act = () =>
  Effect.succeed({
    protocolVersion: "2025-11-25",
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
    serverInfo
  })

/** A wire on which each exchange fails alone, and whose server speaks unasked on a stream that has to be opened. */
export const overHttp = (script: { readonly [method: string]: Act }) => {
  const heard: Array<JsonRpc.Request> = []
  const told: Array<JsonRpc.Notification | JsonRpc.Response> = []
  const streams: Array<Queue.Queue<JsonRpc.Notification | JsonRpc.Request, TransportError | Cause.Done>> = []
  const said = new Map<string, ReadonlyArray<JsonRpc.Request | JsonRpc.Notification>>()
  let starts = 0
  const transport: Effect.Effect<Connection, TransportError, Scope.Scope> = Effect.sync(() => {
    const session = ++starts
    return {
      wire: "http",
      exchange: (request, listener) =>
        Effect.suspend(() => {
          heard.push(request)
          const act = Object.hasOwn(script, request.method) ? script[request.method] : undefined
          const before = Effect.forEach(said.get(request.method) ?? [], listener, { discard: true })
          const answer = act === undefined ? errorWith(-32601) : act(request, session)
          return Effect.map(Effect.andThen(before, answer), (result) =>
            "code" in result && typeof result.code === "number"
              ? JsonRpc.failure(request.id, errorOf(result.code, result.data, result.status))
              : JsonRpc.success(request.id, result as JsonRpc.JsonObject)
          )
        }),
      send: (message) => Effect.sync(() => void told.push(message)),
      incoming: Effect.map(
        Queue.unbounded<JsonRpc.Notification | JsonRpc.Request, TransportError | Cause.Done>(),
        (queue) => {
          streams.push(queue)
          return Queue.takeAll(queue)
        }
      )
    } satisfies Connection
  })
  return {
    transport,
    heard,
    told,
    /** The server's own streams that were opened. */
    streams,
    /** What is said on the stream of a request, before its answer. */
    said,
    get starts(): number {
      return starts
    },
    get methods(): ReadonlyArray<string> {
      return heard.map(({ method }) => method)
    }
  }
}
