import { type ClientRequest, ClientResponse, type HttpClient } from "@effective-mcp/http/client"
import type { TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export type Answer = Effect.Effect<ClientResponse.ClientResponse, TransportError, Scope.Scope>

export interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
}

/** A client without a network, which keeps what it was given. */
export const memory = (answer: (request: ClientRequest, message: Message) => Answer) => {
  const seen: Array<ClientRequest> = []
  const client: HttpClient = (request) =>
    Effect.suspend(() => {
      seen.push(request)
      return answer(request, typeof request.body === "string" ? JSON.parse(request.body) : {})
    })
  return { client, seen }
}

export const status = (code: number, headers: Record<string, string> = {}, body: string | Uint8Array = ""): Answer =>
  Effect.succeed(ClientResponse.make({ status: code, headers, body }))

export const json = (body: unknown, code = 200, headers: Record<string, string> = {}): Answer =>
  status(code, { "content-type": "application/json", ...headers }, JSON.stringify(body))

export const error = (code: number, id?: unknown) => ({ jsonrpc: "2.0", id, error: { code, message: "No" } })

export const events: Answer = status(200, { "content-type": "text/event-stream" })

export const URL = "http://127.0.0.1/mcp"
