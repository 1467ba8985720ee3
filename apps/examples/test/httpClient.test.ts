import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { Client, Tools } from "@effective-mcp/client"
import { JsonRpc } from "@effective-mcp/protocol"
import { connect } from "@effective-mcp/transport-http/client"
import { describe, expect, it } from "@effect/vitest"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const deaf = () => Effect.void
const info = { name: "examples", version: "1" }

/** The official server, version 1, with one session, and what became of that. */
const officialV1 = Effect.gen(function* () {
  let isEnded = false
  const mcp = new McpServer({ name: "v1", version: "1" }, { capabilities: { tools: { listChanged: true } } })
  mcp.registerTool("count", { description: "Counts to three" }, async ({ _meta, sendNotification }) => {
    const { progressToken } = _meta ?? {}
    for (let progress = 1; progress <= 3 && progressToken !== undefined; progress++) {
      await sendNotification({ method: "notifications/progress", params: { progressToken, progress } })
    }
    return { content: [{ type: "text", text: "three" }] }
  })
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessionclosed: () => {
      isEnded = true
    }
  })
  // cast: the official types and ours disagree on what an optional member may be
  yield* Effect.promise(() => mcp.connect(transport as Parameters<typeof mcp.connect>[0]))
  const server = createServer((req, res) => void transport.handleRequest(req, res))
  const port = yield* Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(address === null || typeof address === "string" ? 0 : address.port))
      })
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return { url: `http://127.0.0.1:${port}/mcp`, mcp, isEnded: () => isEnded }
})

describe("our HTTP client and an official server", () => {
  it.live("v1: calls with progress, and an end that the server hears of", () =>
    Effect.gen(function* () {
      const server = yield* officialV1
      yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* Client.connect(connect(server.url), info, { era: "legacy" })
          expect(client.revision).toBe("2025-11-25")
          const seen: Array<number> = []
          const { content } = yield* Tools.call(
            client,
            "count",
            {},
            { onProgress: ({ progress }) => void seen.push(progress) }
          )
          expect([content, seen]).toEqual([[{ type: "text", text: "three" }], [1, 2, 3]])
        })
      )
      expect(server.isEnded()).toBe(true)
    })
  )

  it.live("v1: hears on the stream of the server's own", () =>
    Effect.gen(function* () {
      const server = yield* officialV1
      const connection = yield* connect(server.url)
      yield* connection.exchange(
        JsonRpc.request(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info }),
        deaf
      )
      yield* connection.send(JsonRpc.notification("notifications/initialized"))
      const telling = Effect.forever(
        Effect.delay(
          Effect.sync(() => server.mcp.sendToolListChanged()),
          20
        )
      )
      const heard = yield* Stream.runCollect(Stream.take(Stream.scoped(Stream.fromPull(connection.incoming)), 1)).pipe(
        Effect.raceFirst(telling),
        Effect.timeout("5 seconds")
      )
      expect(heard).toEqual([JsonRpc.notification("notifications/tools/list_changed")])
    })
  )
})
