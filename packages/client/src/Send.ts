import type { Method, Methods } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type { CallError } from "./ClientError.ts"
import type { RequestOptions } from "./Session.ts"

/** Sends one request and reads its result. */
export type Send = <M extends Method>(
  method: M,
  params: Methods[M]["params"],
  options?: RequestOptions
) => Effect.Effect<Methods[M]["result"], CallError>

/** What goes on around every request of a client: a cache, retries, a program's own middleware. */
export type Layer = (next: Send) => Send
