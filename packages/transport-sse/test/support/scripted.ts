import type { JsonRpc } from "@effective-mcp/protocol"
import { type Reply, scripted as serve, type Seen } from "@effective-mcp/testkit/test/scripted"
import * as Effect from "effect/Effect"

export type { Reply, Seen }

/** A server that answers by a script, and what it was sent. */
export const scripted = (answer: (seen: Seen, reply: Reply) => void) =>
  Effect.map(serve(answer), (server) => ({
    ...server,
    url: `${server.origin}/sse`,
    posts: () => server.seen.filter(({ method }) => method === "POST"),
    gets: () => server.seen.filter(({ method }) => method === "GET")
  }))

export const endpoint = (data: string): string => `event: endpoint\ndata: ${data}\n\n`

export const event = (message: unknown): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`

export const result = (id: JsonRpc.RequestId, value: JsonRpc.JsonObject = {}) => ({ jsonrpc: "2.0", id, result: value })

/** Names `/m` as the endpoint, and answers each POST with 202 and an empty result on the stream. */
export const usual = (change: (seen: Seen, reply: Reply, stream: Reply) => boolean = () => false, at = "/m?sid=1") => {
  let stream: Reply | undefined
  return (seen: Seen, reply: Reply): void => {
    if (seen.method === "GET") {
      stream = reply
      if (change(seen, reply, reply)) return
      reply.stream()
      return reply.write(endpoint(at))
    }
    if (stream === undefined || change(seen, reply, stream)) return
    reply.whole(202)
    if (seen.body.id !== undefined) stream.write(event(result(seen.body.id)))
  }
}

/** An address that nobody listens at. */
export const nobody = Effect.scoped(
  Effect.map(
    scripted(() => {}),
    ({ url }) => url
  )
)
