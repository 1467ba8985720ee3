import type { JsonRpc } from "@effective-mcp/protocol"
import { type Reply, scripted as serve, type Seen } from "@effective-mcp/testkit/test/scripted"
import * as Effect from "effect/Effect"

export type { Reply, Seen }

/** A server that answers by a script. */
export const scripted = (answer: (seen: Seen, reply: Reply) => void) =>
  Effect.map(serve(answer), (server) => ({ ...server, url: `${server.origin}/mcp` }))

export const event = (message: unknown, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`

export const progress = (n: number, token: JsonRpc.RequestId = 1) => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken: token, progress: n }
})

/** Answers what any legacy session begins with; false for anything else. */
export const greet = (
  seen: Seen,
  reply: Reply,
  headers: Record<string, string> = { "mcp-session-id": "s-1" }
): boolean => {
  if (seen.body.method === "initialize") {
    const { protocolVersion } = seen.body.params
    const result = { protocolVersion, capabilities: {}, serverInfo: { name: "scripted", version: "1" } }
    reply.json({ jsonrpc: "2.0", id: seen.body.id, result }, headers)
    return true
  }
  if (seen.body.method === "notifications/initialized") reply.whole(202, {})
  else if (seen.method === "DELETE") reply.whole(200, {})
  else return false
  return true
}
