import type { Host, JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { HttpServer, type Options, toFetch } from "../../src/server/index.ts"

/** An endpoint on the clock of the test, without a socket. */
export const local = Effect.fnUntraced(function* (host: Host, options: Options = {}) {
  const fetch = toFetch(yield* HttpServer.make(host, options))
  const headers = { accept: "*/*", "content-type": "application/json" }
  return (message: JsonRpc.Message | undefined, more: Record<string, string> = {}, method = "POST") =>
    Effect.promise(async () => {
      const body = message === undefined ? null : JSON.stringify(message)
      const response = await fetch(new Request("http://localhost/", { method, headers: { ...headers, ...more }, body }))
      return { status: response.status, id: response.headers.get("mcp-session-id") ?? "", response }
    })
})
