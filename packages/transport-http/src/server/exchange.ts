import type { HttpRequest, HttpResponse } from "@effective-mcp/http"
import type { JsonRpc } from "@effective-mcp/protocol"
import { answer, Closing, died, ErrorCode, type Host, HttpEra, Meta } from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { Endpoint } from "./Endpoint.ts"
import { disagreement, paramDisagreement, VERSION } from "./headers.ts"
import { HttpCall, type HttpCallService } from "./HttpCall.ts"
import { refuse } from "./refuse.ts"
import type { ParamHeader } from "./ParamHeaders.ts"
import { Reply } from "./Reply.ts"

const LISTEN = "subscriptions/listen"

/** A version that only the header names is the host's to refuse, too: it knows which ones it speaks. */
const withVersion = (http: HttpRequest, message: JsonRpc.Request): JsonRpc.Request => {
  const meta = Meta.of(message.params)
  if (Meta.PROTOCOL_VERSION in meta) return message
  const header = http.header(VERSION)
  if (header === undefined || HttpEra.isKnownVersion(header)) return message
  return { ...message, params: { ...message.params, _meta: { ...meta, [Meta.PROTOCOL_VERSION]: header } } }
}

/**
 * How `Mcp-Param-*` disagrees with the call of a tool. An old list is no reason to refuse, and of a tool that its caller
 * may not see nothing is said here.
 */
const checkParams = <R>(
  { learnedOf, paramHeaders }: Endpoint<R>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  message: JsonRpc.Request,
  tool: string
): Effect.Effect<string | undefined, never, R | HttpCall> | string | undefined => {
  if (paramHeaders !== undefined) return paramDisagreement(http, message, paramHeaders(tool))
  const learned = learnedOf(host)
  const check = (headers: ReadonlyArray<ParamHeader> | undefined): string | undefined =>
    headers && paramDisagreement(http, message, headers)
  const known = learned.of(tool)
  if (known !== undefined && check(known) === undefined) return undefined
  const isWrong = (headers: ReadonlyArray<ParamHeader>): boolean => check(headers) !== undefined
  return Effect.map(learned.refresh(tool, message.params, http, isWrong), check)
}

const respond = <R>(
  { keepAlive }: Endpoint<R>,
  host: Host<R | HttpCall>,
  message: JsonRpc.Request,
  reply: Reply<R>
): Effect.Effect<void, never, R | HttpCall> =>
  Effect.suspend(() => {
    keepAlive.add(reply)
    const answered = Effect.map(answer(host.modern, message, reply.say), (said) => reply.finish(said))
    return Effect.onExit(answered, () => {
      keepAlive.remove(reply)
      return Effect.void
    })
  })

/**
 * A listen stream, unless there are too many. Neither the request nor, once it has begun, what began it is held for as
 * long as the stream is open: there may be many.
 */
const listen = <R>(
  endpoint: Endpoint<R>,
  host: Host<R | HttpCall>,
  message: JsonRpc.Request,
  call: HttpCallService,
  response: HttpResponse
): Effect.Effect<void, never, R> =>
  Effect.withFiber((fiber) => {
    const { id, method } = message
    if (endpoint.listens.open.size >= endpoint.listens.most) {
      const code = ErrorCode.InternalError
      return Effect.sync(() => refuse(response, 503, "Too many subscriptions", { code, id }))
    }
    const reply = new Reply(endpoint, host, method, response)
    // as in `answer`: one that throws has died
    const begun = Effect.catchCause(
      Effect.suspend(() => host.modern.exchange(message, reply.say)),
      (cause) => died(message, cause)
    )
    const services = Context.add(Context.add(fiber.context, HttpCall, call), Closing, reply)
    return held(endpoint, fiber, reply, services, begun as Effect.Effect<JsonRpc.Response>) // cast: it finds its services
  })

/** What is kept of a listen stream: it begins with some services, and goes on without them. */
const held = <R>(
  { keepAlive, listens: { open } }: Endpoint<R>,
  fiber: Fiber.Fiber<unknown, unknown>,
  reply: Reply<R>,
  services: Context.Context<never>,
  begun: Effect.Effect<JsonRpc.Response>
): Effect.Effect<void> => {
  const before = fiber.context
  let first: { readonly begun: typeof begun; readonly services: typeof services } | undefined = { begun, services }
  const whole = Effect.suspend(() => {
    if (first === undefined) return Effect.interrupt
    const { begun, services } = first
    first = undefined
    open.set(fiber, reply)
    keepAlive.add(reply)
    fiber.setContext(services)
    return Effect.flatMap(begun, (said) => {
      fiber.setContext(before)
      return reply.last(said)
    })
  })
  return Effect.onExitPrimitive(whole, () => {
    fiber.setContext(before)
    open.delete(fiber)
    keepAlive.remove(reply)
    return reply.leave()
  })
}

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
  if (message.method === LISTEN) return listen(endpoint, host, message, call, response)
  const proceed = respond(endpoint, host, message, new Reply(endpoint, host, message.method, response))
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
