/** Any JSON value. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** A JSON object as it came off a wire: its members are not checked yet. */
export type JsonObject = { readonly [key: string]: unknown }

/** Names a request among all that its sender has open; `1` and `"1"` are different, `0` and `""` are ids. */
export type RequestId = string | number

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#requests */
export interface Request {
  readonly jsonrpc: "2.0"
  readonly id: RequestId
  readonly method: string
  readonly params?: JsonObject
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#notifications */
export interface Notification {
  readonly jsonrpc: "2.0"
  readonly method: string
  readonly params?: JsonObject
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#result-responses */
export interface Success {
  readonly jsonrpc: "2.0"
  readonly id: RequestId
  readonly result: JsonObject
}

export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/**
 * An error response; without an id when the request's own could not be read.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#error-responses
 */
export interface Failure {
  readonly jsonrpc: "2.0"
  readonly id?: RequestId | null
  readonly error: ErrorObject
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#responses */
export type Response = Success | Failure

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#messages */
export type Message = Request | Notification | Response

export const isRequest = (message: Message): message is Request => "method" in message && "id" in message
export const isNotification = (message: Message): message is Notification => "method" in message && !("id" in message)
export const isResponse = (message: Message): message is Response => !("method" in message)
export const isSuccess = (response: Response): response is Success => "result" in response

/** Whether a value can name a request: a string, or an integer that a double holds exactly. */
export const isRequestId = (value: unknown): value is RequestId =>
  typeof value === "string" || Number.isSafeInteger(value)

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const request = (id: RequestId, method: string, params?: JsonObject): Request =>
  params === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params }

export const notification = (method: string, params?: JsonObject): Notification =>
  params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params }

export const success = (id: RequestId, result: JsonObject): Success => ({ jsonrpc: "2.0", id, result })

export const failure = (id: RequestId | undefined, error: ErrorObject): Failure =>
  id === undefined ? { jsonrpc: "2.0", error } : { jsonrpc: "2.0", id, error }
