import { type ClientRequest, ClientResponse, type HttpClient } from "@effective-mcp/http/client"
import { type JsonRpc, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"

export type Answer = Effect.Effect<ClientResponse.ClientResponse, TransportError, Scope.Scope>

/** A client without a network, which keeps what it was given. */
export const memory = (answer: (request: ClientRequest, message: JsonRpc.Request) => Answer) => {
  const seen: Array<ClientRequest> = []
  const client: HttpClient = (request) =>
    Effect.suspend(() => {
      seen.push(request)
      return answer(request, typeof request.body === "string" ? JSON.parse(request.body) : {})
    })
  return { client, seen }
}

export const closed = TransportError.make({ _tag: "Closed" })

export const status = (code: number, headers: Record<string, string> = {}, body = ""): Answer =>
  Effect.succeed(ClientResponse.make({ status: code, headers, body }))

export const json = (body: unknown, headers: Record<string, string> = {}, code = 200): Answer =>
  status(code, { "content-type": "application/json", ...headers }, JSON.stringify(body))

const encoder = new TextEncoder()

type Part = string | Effect.Effect<string | undefined, TransportError>

/** An event stream that says these parts and ends. */
export const stream = (...parts: ReadonlyArray<Part>): Answer =>
  Effect.sync(() => {
    let at = 0
    const read = Effect.suspend(() => {
      const part = parts[at++]
      const text = Effect.isEffect(part) ? part : Effect.succeed(part)
      return Effect.map(text, (text) => (text === undefined ? undefined : encoder.encode(text)))
    })
    const discard = (): void => {
      at = parts.length
    }
    return {
      status: 200,
      header: (name) => (name === "content-type" ? "text/event-stream" : undefined),
      read,
      whole: (limit) => ClientResponse.collect(read, limit, discard),
      discard
    }
  })

/** What a legacy session begins and ends with; undefined for anything else. */
export const greeting = (request: ClientRequest, message: JsonRpc.Request, id = "s-1"): Answer | undefined => {
  if (message.method === "initialize") {
    const protocolVersion = message.params?.protocolVersion
    const result = { protocolVersion, capabilities: {}, serverInfo: { name: "m", version: "1" } }
    return json({ jsonrpc: "2.0", id: message.id, result }, { "mcp-session-id": id })
  }
  if (message.method === "notifications/initialized") return status(202)
  return request.method === "DELETE" ? status(200) : undefined
}

/** What is logged, as text. */
export const logs = () => {
  const lines: Array<string> = []
  const layer = Logger.layer([Logger.make(({ message }) => void lines.push([message].flat().map(String).join(" ")))])
  return { layer, lines }
}
