import * as Effect from "effect/Effect"
import { endpoints } from "../../server/endpoints.ts"
import { read } from "../../server/options.ts"

const META = "io.modelcontextprotocol"
export const MODERN = "2026-07-28"
export const LEGACY = "2025-11-25"

/** What a client of the newest revision says of itself in each request. */
export const meta = { [`${META}/protocolVersion`]: MODERN, [`${META}/clientCapabilities`]: {} }

export interface Answered {
  readonly status: number
  readonly session: string | undefined
  readonly type: string
  readonly text: string
}

type Headers = { readonly [name: string]: string }
type Params = { readonly [name: string]: unknown }

/** The server of the fixture, with some options, and two ways of asking it. */
export const start = Effect.fnUntraced(function* (given: object = {}) {
  const { mcp: url, sse } = yield* endpoints(read(JSON.stringify(given)))
  const post = (method: string, params: Params, headers: Headers) =>
    Effect.promise(async (signal): Promise<Answered> => {
      const response = await fetch(url, {
        method: "POST",
        signal,
        headers: { accept: "application/json, text/event-stream", "content-type": "application/json", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      })
      return {
        status: response.status,
        session: response.headers.get("mcp-session-id") ?? undefined,
        type: response.headers.get("content-type") ?? "",
        text: await response.text()
      }
    })
  return {
    url,
    /** Where HTTP+SSE is spoken; undefined where it is not. */
    sse,
    /** A subscription, whose stream stays open. */
    listen: Effect.promise(() => {
      const params = { notifications: { toolsListChanged: true }, _meta: meta }
      return fetch(url, {
        method: "POST",
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-protocol-version": MODERN,
          "mcp-method": "subscriptions/listen"
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params })
      })
    }),
    modern: (method: string, params: Params = {}, headers: Headers = {}) =>
      post(
        method,
        { ...params, _meta: meta },
        {
          "mcp-protocol-version": MODERN,
          "mcp-method": method,
          ...(typeof params.name === "string" ? { "mcp-name": params.name } : undefined),
          ...headers
        }
      ),
    legacy: (method: string, params: Params = {}, headers: Headers = {}) =>
      post(method, params, { "mcp-protocol-version": LEGACY, ...headers }),
    initialize: (headers: Headers = {}) =>
      post(
        "initialize",
        { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } },
        headers
      )
  }
})
