import type { ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import type { Interceptor } from "@effective-mcp/http/client"
import { make as makePlatform } from "@effective-mcp/http/client/platform"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { detect, type DetectOptions } from "../src/index.ts"
import { type Listener, served } from "./support/served.ts"

const JSON_TYPE = { "content-type": "application/json" }

const found = (url: string, options?: DetectOptions) =>
  Effect.match(detect(url, options), {
    onFailure: ({ evidence, reason }) => ({ is: reason._tag as string, evidence, reason }),
    onSuccess: ({ evidence, kind }) => ({ is: kind as string, evidence, reason: undefined })
  })

/** Writes without end, as fast as it is read, and no further once nobody does. */
const flood = (res: ServerResponse, status: number, headers: Record<string, string>) => {
  const part = "x".repeat(64 * 1024)
  const said = { bytes: 0 }
  const more = (): void => {
    while (!res.destroyed) {
      said.bytes += part.length
      if (!res.write(part)) return
    }
  }
  res.writeHead(status, headers)
  res.on("drain", more)
  more()
  return said
}

describe("a server on the network", () => {
  it.live("T-62 keeps no stream open: of an event stream the head is enough", () =>
    Effect.gen(function* () {
      for (const type of ["text/event-stream", "text/event-stream; charset=utf-8"]) {
        const server = yield* served((req, res) => {
          if (req.method !== "GET") return void res.writeHead(404).end()
          res.writeHead(200, { "content-type": type }).write("event: endpoint\ndata: /messages\n\n")
        })
        expect((yield* found(`${server.url}/sse`)).is).toBe("sse")
        yield* server.isLeft
        const posted = yield* served((_req, res) => void res.writeHead(200, { "content-type": type }).flushHeaders())
        expect((yield* found(`${posted.url}/mcp`)).is).toBe("streamable-http")
        yield* posted.isLeft
      }
    })
  )

  it.live("T-64 that says nothing, or not all of it, is let go when its time is up", () =>
    Effect.gen(function* () {
      const slow: ReadonlyArray<Listener> = [
        () => {},
        (_req, res) => void res.writeHead(200, JSON_TYPE).write('{"jsonrpc":'),
        (req, res) => void (req.method === "POST" && res.writeHead(405).end())
      ]
      for (const listener of slow) {
        const server = yield* served(listener)
        const { evidence, reason } = yield* found(server.url, { probe: 150 })
        expect(reason).toEqual({ _tag: "TimedOut", afterMs: 150 })
        expect(evidence.at(-1)?.ms).toBeGreaterThanOrEqual(140)
        yield* server.isLeft
      }
    })
  )

  it.live("that hangs up, or is not there, is told apart from one that answers", () =>
    Effect.gen(function* () {
      const closing = yield* served((req) => void req.socket.destroy())
      expect((yield* found(closing.url)).is).toBe("Broken")
      expect(closing.seen).toEqual(["POST /"])
      const gone = yield* Effect.scoped(served(() => {}))
      expect((yield* found(gone.url)).is).toBe("Unreachable")
    })
  )

  it.live("that sends its clients elsewhere is followed on its own origin alone", () =>
    Effect.gen(function* () {
      const other = yield* served((_req, res) => void res.writeHead(200).end())
      const server = yield* served((req, res) => {
        if (req.url === "/away") return void res.writeHead(307, { location: `${other.url}/mcp?secret` }).end()
        if (req.url === "/here") return void res.writeHead(307, { location: "/mcp" }).end()
        if (req.url === "/page") return void res.writeHead(302, { location: "/sign-in?secret" }).end()
        res.writeHead(200, JSON_TYPE).end('{"jsonrpc":"2.0","id":1,"result":{}}')
      })
      const headers = { authorization: "Bearer secret" }
      expect((yield* found(`${server.url}/here`, { headers })).is).toBe("streamable-http")
      expect((yield* found(`${server.url}/away`, { headers })).reason).toEqual({
        _tag: "Redirected",
        status: 307,
        to: other.url
      })
      expect((yield* found(`${server.url}/page`, { headers })).reason).toEqual({
        _tag: "Redirected",
        status: 302,
        to: "/sign-in"
      })
      expect(server.seen).toEqual(["POST /here", "POST /mcp", "POST /away", "POST /page"])
      expect(other.seen).toEqual([])
    })
  )

  it.live("that talks without end is read to a bound, and not at all where its type says enough", () =>
    Effect.gen(function* () {
      const mega = 1024 * 1024
      const floods: ReadonlyArray<readonly [number, string, string, number]> = [
        [200, "text/html", "NothingHere", 0],
        [200, "image/png", "NothingHere", 0],
        [200, "application/json", "NothingHere", 4 * mega],
        [400, "application/json", "plain", 64 * 1024],
        [404, "text/html", "NothingHere", 64 * 1024]
      ]
      for (const [status, type, is, bytes] of floods) {
        const floods: Array<{ readonly bytes: number }> = []
        const server = yield* served((_req, res) => void floods.push(flood(res, status, { "content-type": type })))
        expect((yield* found(server.url)).is).toBe(is)
        yield* server.isLeft
        // what the system holds between the two is not read by anybody
        for (const said of floods) expect(said.bytes).toBeLessThan(bytes + 32 * mega)
      }
    })
  )

  it.live("that packs a lot into a little is read to a bound", () =>
    Effect.gen(function* () {
      const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "))
      for (const [status, is] of [
        [200, "NothingHere"],
        [400, "plain"]
      ] as const) {
        const server = yield* served((_req, res) => {
          res
            .writeHead(status, { ...JSON_TYPE, "content-encoding": "gzip", "content-length": packed.length })
            .end(packed)
        })
        expect((yield* found(server.url)).is).toBe(is)
      }
    })
  )

  it.live("is left at once where nobody waits for the answer any more", () =>
    Effect.gen(function* () {
      const server = yield* served((req, res, body) => {
        if (body.includes("initialize"))
          return void res.writeHead(200, { ...JSON_TYPE, "mcp-session-id": "s-1" }).write("{")
        if (req.method === "DELETE") return void res.writeHead(204).end()
        res.writeHead(400, JSON_TYPE).end('{"jsonrpc":"2.0","error":{"code":-32000,"message":"No"}}')
      })
      let heads = 0
      const counting: Interceptor = (request, next) => Effect.tap(next(request), () => Effect.sync(() => heads++))
      const detecting = yield* Effect.forkChild(detect(server.url, { interceptors: [counting] }), {
        startImmediately: true
      })
      while (heads < 3) yield* Effect.sleep(5)
      yield* Fiber.interrupt(detecting)
      yield* server.isLeft
      expect(server.seen).toEqual(["POST /", "POST /", "POST /", "DELETE /"])
    })
  )

  it.live("keeps nothing open on a client that goes on to be used", () =>
    Effect.gen(function* () {
      const server = yield* served((req, res) => {
        if (req.method === "POST") return void res.writeHead(405).end()
        res.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n")
        req.socket.once("close", () => void streams--)
        streams++
      })
      let streams = 0
      const client = yield* makePlatform()
      for (const _ of [1, 2, 3]) expect((yield* found(server.url, { client })).is).toBe("sse")
      while (streams > 0) yield* Effect.sleep(5)
    })
  )
})
