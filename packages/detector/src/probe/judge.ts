import { type ClientResponse, errorBody, EVENTS, isJson, typeOf } from "@effective-mcp/http/client"
import { ErrorCode, Frame, JsonRpc, limits, type TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Verdict } from "../Probe.ts"

type Response = ClientResponse.ClientResponse

/** What an answer says, with the code of the JSON-RPC error that it says it with. */
export interface Judgement {
  readonly verdict: Verdict
  readonly code?: number
}

const isHtml = (type: string): boolean => type === "text/html" || type === "application/xhtml+xml"

const absent: ReadonlySet<number> = new Set([404, 405, 410])
const busy: ReadonlySet<number> = new Set([408, 429])

/** Codes that came with 2026-07-28, some of them not given a meaning yet. */
const isModern = (code: number): boolean => code <= -32_020 && code >= -32_029

const decoder = new TextDecoder()

const frameIn = (bytes: Uint8Array): Frame.Frame => Frame.fromText(decoder.decode(bytes), limits.depth)

/** Whether it is a response to the request with this id, or an error that could not tell which one it is to. */
const isTo = (frame: Frame.Frame, id: JsonRpc.RequestId): frame is JsonRpc.Response => {
  if (Frame.isBatch(frame) || frame instanceof Frame.Malformed || !JsonRpc.isResponse(frame)) return false
  return frame.id === id || (!JsonRpc.isSuccess(frame) && (frame.id === undefined || frame.id === null))
}

/** A status that is no error, and what came with it. */
const ofBody = (http: Response, id: JsonRpc.RequestId): Effect.Effect<Judgement, TransportError> => {
  const type = typeOf(http)
  if (isHtml(type)) return Effect.succeed({ verdict: "WebPage" })
  if (!isJson(type)) return Effect.succeed({ verdict: "Other" })
  return http.whole(limits.messageBytes).pipe(
    Effect.map((bytes): Judgement => {
      const frame = frameIn(bytes)
      if (isTo(frame, id) && http.status === 200) {
        return JsonRpc.isSuccess(frame) ? { verdict: "Response" } : { verdict: "Response", code: frame.error.code }
      }
      const isNoJson = frame instanceof Frame.Malformed && frame.code === ErrorCode.ParseError
      return { verdict: isNoJson ? "Other" : "Json" }
    }),
    Effect.catchIf(
      ({ reason }) => reason._tag === "TooLarge",
      () => Effect.succeed<Judgement>({ verdict: "Other" })
    )
  )
}

/** The JSON-RPC error that a refusal says why with, if it does, and in time. */
const errorIn = (http: Response, id: JsonRpc.RequestId): Effect.Effect<JsonRpc.ErrorObject | undefined> =>
  Effect.map(errorBody(http), (bytes) => {
    const frame = bytes === undefined ? undefined : frameIn(bytes)
    return frame !== undefined && isTo(frame, id) && !JsonRpc.isSuccess(frame) ? frame.error : undefined
  })

const ofStatus = (http: Response): Verdict => {
  const { status } = http
  if (status === 401 || status === 403) return "NeedsAuth"
  if (busy.has(status) || status >= 500) return "Unavailable"
  if (absent.has(status)) return "Absent"
  return isHtml(typeOf(http)) ? "WebPage" : "Refused"
}

/** What the answer to a POST says; what the server put into words outranks its status, but for who asks. */
export const ofPost = (http: Response, { id, method }: JsonRpc.Request): Effect.Effect<Judgement, TransportError> => {
  const { status } = http
  if (status === 200 && typeOf(http) === EVENTS) return Effect.succeed({ verdict: "EventStream" })
  if (status < 400) return ofBody(http, id)
  const verdict = ofStatus(http)
  if (verdict === "NeedsAuth") return Effect.succeed({ verdict })
  return Effect.map(errorIn(http, id), (error): Judgement => {
    if (error === undefined) return { verdict }
    const { code } = error
    // a modern server knows no ping, and only over HTTP of that era does it say so with this status
    const isUnknown = method === "ping" && status === 404 && code === ErrorCode.MethodNotFound
    if (isUnknown || isModern(code)) return { verdict: "ModernError", code }
    return { verdict: verdict === "Unavailable" ? verdict : "RpcError", code }
  })
}

/** What the answer to a GET says: its head is enough, and of its body nothing is read. */
export const ofGet = (http: Response): Judgement => {
  const type = typeOf(http)
  // how many servers say that they have no such method, which another time will not change
  if (http.status === 501) return { verdict: "Absent" }
  if (http.status >= 400) return { verdict: ofStatus(http) }
  if (http.status === 200 && type === EVENTS) return { verdict: "EventStream" }
  return { verdict: isHtml(type) ? "WebPage" : "Other" }
}
