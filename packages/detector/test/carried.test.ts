import type { ServerResponse } from "node:http"
import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { detect } from "../src/index.ts"
import { type Listener, served } from "./support/served.ts"

const headers = { "X-Key": "k" }

/** What is found where requests are answered like this, and what then answers a request. */
const asked = (listener: Listener) =>
  Effect.gen(function* () {
    const seen: Array<string> = []
    const server = yield* served((req, res, body) => {
      seen.push(`${req.method} ${req.url} ${String(req.headers["x-key"])}`)
      listener(req, res, body)
    })
    const { kind, transport } = yield* detect(`${server.url}/at`, { headers })
    const probes = seen.splice(0)
    const connection = yield* transport
    const response = yield* connection.exchange(JsonRpc.request(7, "tools/list"), () => Effect.void)
    return { kind, probes, response, seen }
  })

const answer = (body: string) => JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, result: { tools: [] } })

describe("the transport that was found", () => {
  it.live("T-65 is that of plain HTTP, and carries the headers", () =>
    Effect.gen(function* () {
      const { kind, probes, response, seen } = yield* asked((req, res, body) => {
        if (req.method === "GET") return void res.writeHead(405).end()
        if (!body.includes("tools/list")) return void res.writeHead(400, { "content-type": "text/plain" }).end("No")
        res.writeHead(200, { "content-type": "application/json" }).end(answer(body))
      })
      expect([kind, ...probes]).toEqual(["plain", "POST /at k", "POST /at k", "GET /at k"])
      expect(response).toEqual({ jsonrpc: "2.0", id: 7, result: { tools: [] } })
      expect(seen).toEqual(["POST /at k"])
    })
  )

  it.live("T-65 is that of HTTP+SSE, with a stream of its own, and carries the headers", () =>
    Effect.gen(function* () {
      let stream: ServerResponse | undefined
      const { kind, probes, response, seen } = yield* asked((req, res, body) => {
        if (req.method === "GET") {
          stream = res
          return void res
            .writeHead(200, { "content-type": "text/event-stream" })
            .write("event: endpoint\ndata: /to\n\n")
        }
        if (req.url === "/at") return void res.writeHead(404).end()
        res.writeHead(202).end()
        stream?.write(`data: ${answer(body)}\n\n`)
      })
      expect([kind, ...probes]).toEqual(["sse", "POST /at k", "GET /at k"])
      expect(response).toEqual({ jsonrpc: "2.0", id: 7, result: { tools: [] } })
      expect(seen).toEqual(["GET /at k", "POST /to k"])
    })
  )
})
