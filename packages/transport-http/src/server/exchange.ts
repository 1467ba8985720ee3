import { EventStream, type HttpRequest, type HttpResponse } from "@effective-mcp/http"
import type { JsonRpc } from "@effective-mcp/protocol"
import { answer, Closing, ErrorCode, type Host, HttpEra, type Listener, Meta } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Endpoint, Listening } from "./Endpoint.ts"
import { disagreement, paramDisagreement, VERSION } from "./headers.ts"
import { HttpCall } from "./HttpCall.ts"
import { JSON_TYPE, refuse } from "./refuse.ts"
import { statusOf } from "./statusOf.ts"
import { responseText, toText } from "./toText.ts"

const LISTEN = "subscriptions/listen"

/** A version that only the header names is the host's to refuse, too: it knows which ones it speaks. */
const withVersion = (http: HttpRequest, message: JsonRpc.Request): JsonRpc.Request => {
  const meta = Meta.of(message.params)
  if (Meta.PROTOCOL_VERSION in meta) return message
  const header = http.header(VERSION)
  if (header === undefined || HttpEra.isKnownVersion(header)) return message
  return { ...message, params: { ...message.params, _meta: { ...meta, [Meta.PROTOCOL_VERSION]: header } } }
}

/** How `Mcp-Param-*` disagrees with the call of a tool; an old list is no reason to refuse. */
const checkParams = <R>(
  { learnedOf, paramHeaders }: Endpoint<R>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  message: JsonRpc.Request,
  tool: string
): Effect.Effect<string | undefined, never, R | HttpCall> | string | undefined => {
  if (paramHeaders !== undefined) return paramDisagreement(http, message, paramHeaders(tool))
  const learned = learnedOf(host)
  const check = (): string | undefined => paramDisagreement(http, message, learned.of(tool) ?? [])
  const known = learned.of(tool)
  if (known !== undefined && check() === undefined) return undefined
  return Effect.map(learned.refresh(message.params, http), check)
}

/** Says everything on the response to one POST: as JSON when the response comes first, else as an event stream. */
const respond = <R>(
  { keepAlive, learnedOf }: Endpoint<R>,
  host: Host<R | HttpCall>,
  message: JsonRpc.Request,
  response: HttpResponse
): Effect.Effect<void, never, R | HttpCall> =>
  Effect.suspend(() => {
    let isOpen = false
    let silent = 0
    const open = (): void => {
      if (isOpen) return
      isOpen = true
      response.head(200, EventStream.headers)
    }
    const beating = {
      beat: () => {
        silent++
        // an answer may still come whole
        if (!isOpen && silent < 2) return
        open()
        response.offer(EventStream.comment)
      }
    }
    const say: Listener = (said) =>
      Effect.suspend(() => {
        if ("id" in said) return Effect.logError("a modern exchange carries no question")
        const data = toText(said)
        if (data === undefined) return Effect.logError("a message could not be written")
        if (said.method === "notifications/tools/list_changed") learnedOf(host).expire()
        open()
        return response.write(EventStream.encode({ data }))
      })
    const finish = (said: JsonRpc.Response): void => {
      if (message.method === "tools/list") learnedOf(host).learn(said)
      const data = responseText(said)
      if (isOpen) response.end(EventStream.encode({ data }))
      else response.whole(statusOf(said), JSON_TYPE, data)
    }
    keepAlive.add(beating)
    return Effect.ensuring(
      Effect.map(answer(host.modern, message, say), finish),
      Effect.sync(() => keepAlive.remove(beating))
    )
  })

/** A listen stream, unless there are too many. */
const listen = <R>(
  endpoint: Endpoint<R>,
  host: Host<R | HttpCall>,
  message: JsonRpc.Request,
  response: HttpResponse
): Effect.Effect<void, never, R | HttpCall> =>
  Effect.withFiber((fiber) => {
    const { most, open } = endpoint.listens
    if (open.size >= most) {
      const code = ErrorCode.InternalError
      return Effect.sync(() => refuse(response, 503, "Too many subscriptions", { code, id: message.id }))
    }
    const listening: Listening = { close: undefined }
    open.set(fiber, listening)
    fiber.addObserver(() => open.delete(fiber))
    const onClose = (closes: () => void): (() => void) => {
      listening.close = closes
      return () => {
        listening.close = undefined
      }
    }
    return Effect.provideService(respond(endpoint, host, message, response), Closing, { onClose })
  })

const mismatch = (response: HttpResponse, id: JsonRpc.RequestId, wrong: string): Effect.Effect<void> =>
  Effect.sync(() => refuse(response, 400, `Header mismatch: ${wrong}`, { code: ErrorCode.HeaderMismatch, id }))

/**
 * Answers one modern request, which stands alone: interrupted when its client leaves.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export const exchange = <R>(
  endpoint: Endpoint<R>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  sent: JsonRpc.Request,
  response: HttpResponse
): Effect.Effect<void, never, R> => {
  const message = withVersion(http, sent)
  const wrong = disagreement(http, message)
  if (wrong !== undefined) return mismatch(response, message.id, wrong)
  const call = { request: http, closeStream: Effect.void }
  const go = message.method === LISTEN ? listen : respond
  const proceed = go(endpoint, host, message, response)
  const tool = message.method === "tools/call" ? message.params?.name : undefined
  if (typeof tool !== "string") return Effect.provideService(proceed, HttpCall, call)
  const checked = checkParams(endpoint, host, http, message, tool)
  if (checked === undefined) return Effect.provideService(proceed, HttpCall, call)
  if (typeof checked === "string") return mismatch(response, message.id, checked)
  return Effect.provideService(
    Effect.flatMap(checked, (wrong) => (wrong === undefined ? proceed : mismatch(response, message.id, wrong))),
    HttpCall,
    call
  )
}
