/** A request that was sent to find out what is at an address: its HTTP method, and the JSON-RPC method of its body. */
export type Sent = "POST ping" | "POST server/discover" | "POST initialize" | "GET" | "DELETE"

/** What the answer to one request says. */
export type Verdict =
  /** 200, and a JSON-RPC response. */
  | "Response"
  /** 200, and an event stream. */
  | "EventStream"
  /** A JSON-RPC error that only a server of 2026-07-28 or newer gives to this. */
  | "ModernError"
  /** A status of 400 or more, and any other JSON-RPC error. */
  | "RpcError"
  /** 401 or 403. */
  | "NeedsAuth"
  /** 408, 429, or 500 and more: the server could not say. */
  | "Unavailable"
  /** 404, 405 or 410, or 501 to a GET: there is nothing, or not for this HTTP method. */
  | "Absent"
  /** Any other status of 400 and more. */
  | "Refused"
  /** HTML. */
  | "WebPage"
  /** JSON that is no JSON-RPC. */
  | "Json"
  /** Something else, or nothing at all, with a status that is no error. */
  | "Other"
  /** The session that `initialize` has opened is left, whatever the server says to that. */
  | "Left"
  /** The server sends its clients elsewhere. */
  | "Redirected"
  /** No answer in time. */
  | "TimedOut"
  /** Nobody could be reached. */
  | "Unreachable"
  /** The connection broke, or what came is no HTTP. */
  | "Broken"

/** One request that was sent, and what came of it. Nothing in it is a secret: no headers, no bodies, no query. */
export interface Probe {
  readonly sent: Sent
  /** The status of the answer, where there was one. */
  readonly status?: number
  /** Its media type without parameters, in lower case, cut to 100 characters. */
  readonly mediaType?: string
  /** The code of the JSON-RPC error in it. */
  readonly code?: number
  readonly verdict: Verdict
  /** How long that took. */
  readonly ms: number
}
