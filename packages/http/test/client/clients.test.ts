import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { TransportError } from "@effective-mcp/protocol"
import { make as makeFetch } from "@effective-mcp/http/client/fetch"
import { make as makeNode } from "@effective-mcp/http/client/node"
import { make as makePlatform } from "@effective-mcp/http/client/platform"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import {
  type ClientRequest,
  ClientResponse,
  type Headers,
  intercept,
  type Interceptor
} from "../../src/client/index.ts"

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

/** A server of one handler; the address of its port. */
const served = (handler: (req: IncomingMessage, res: ServerResponse) => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer(handler)
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    ),
    (server) => {
      const address = server.address()
      return `http://127.0.0.1:${address === null || typeof address === "string" ? 0 : address.port}`
    }
  )

const requestOf = (url: string, more: Partial<ClientRequest> = {}): ClientRequest => ({
  method: "POST",
  url,
  headers: { "content-type": "text/plain", authorization: "Bearer secret", "x-api-key": "k" },
  body: "hello",
  ...more
})

const adapters = { fetch: makeFetch, node: makeNode, platform: makePlatform }

for (const [name, make] of Object.entries(adapters)) {
  describe(`the HTTP client of ${name}`, () => {
    it.live("sends a request as it is, and reads its answer whole or in parts", () =>
      Effect.gen(function* () {
        const url = yield* served((req, res) => {
          const parts: Array<Uint8Array> = []
          req.on("data", (part) => parts.push(part))
          req.on("end", () => {
            res.writeHead(201, {
              "x-method": String(req.method),
              "x-key": String(req.headers["x-api-key"]),
              "set-cookie": ["a", "b"]
            })
            res.end(`${req.url} ${Buffer.concat(parts).toString()}`)
          })
        })
        const client = yield* make()
        for (const body of ["grüße", new TextEncoder().encode("grüße")]) {
          const response = yield* client(requestOf(`${url}/a?b=c`, { body }))
          expect([response.status, response.header("x-method"), response.header("x-key")]).toEqual([201, "POST", "k"])
          expect(response.header("x-none")).toBe(undefined)
          expect(text(yield* response.whole(100))).toBe("/a?b=c grüße")
        }
        const response = yield* client(requestOf(url))
        let all = ""
        for (let part = yield* response.read; part !== undefined; part = yield* response.read) all += text(part)
        expect(all).toBe("/ hello")
      })
    )

    it.live("expands what is packed, and counts it expanded", () =>
      Effect.gen(function* () {
        const body = "x".repeat(10_000)
        const packed: Record<string, Uint8Array> = {
          gzip: gzipSync(body),
          // Bun is not asked for the one, Deno does not ask for the other
          ...("Bun" in globalThis ? {} : { br: brotliCompressSync(body) }),
          ...("Deno" in globalThis ? {} : { deflate: deflateSync(body) })
        }
        const url = yield* served((req, res) => {
          const encoding = String(req.url).slice(1)
          res.writeHead(200, { "content-encoding": encoding })
          res.end(packed[encoding])
        })
        const client = yield* make()
        for (const encoding of Object.keys(packed)) {
          const response = yield* client(requestOf(`${url}/${encoding}`))
          expect(text(yield* response.whole(10_000))).toBe(body)
          const again = yield* client(requestOf(`${url}/${encoding}`))
          expect((yield* Effect.flip(again.whole(9_999))).reason).toEqual({ _tag: "TooLarge", limit: 9_999 })
        }
      })
    )

    it.live("tells a body that breaks off from one that ends", () =>
      Effect.gen(function* () {
        const url = yield* served((req, res) => {
          res.writeHead(200, req.url === "/chunks" ? {} : { "content-length": "100" })
          res.write("some")
          setTimeout(() => res.destroy(), 20)
        })
        const client = yield* make()
        for (const path of ["/chunks", "/length"]) {
          const response = yield* client(requestOf(url + path))
          expect((yield* Effect.flip(response.whole(100))).reason._tag).toBe("Closed")
          const again = yield* client(requestOf(url + path))
          expect(text(yield* again.read)).toBe("some")
          expect((yield* Effect.flip(again.read)).reason._tag).toBe("Closed")
        }
      })
    )

    it.live("aborts what is interrupted, before its head and after", () =>
      Effect.gen(function* () {
        let gone = 0
        let come = 0
        const url = yield* served((req, res) => {
          come++
          res.on("close", () => gone++)
          if (req.url === "/head") res.writeHead(200).write("x")
        })
        const client = yield* make()
        for (const path of ["/", "/head"]) {
          const calling = Effect.scoped(
            Effect.flatMap(client(requestOf(url + path)), ({ read }) => Effect.andThen(read, Effect.never))
          )
          const before = come
          const call = yield* Effect.forkChild(calling, { startImmediately: true })
          while (come === before) yield* Effect.sleep(5)
          yield* Fiber.interrupt(call)
          while (gone < come) yield* Effect.sleep(5)
        }
        expect(gone).toBe(2)
      })
    )

    it.live("HTTP-24 follows redirects within one origin, with method, headers and body; never the others", () =>
      Effect.gen(function* () {
        const strangers: Array<string> = []
        const stranger = yield* served((req, res) => {
          strangers.push(String(req.url))
          res.end()
        })
        const seen: Array<readonly [string, string, string, string]> = []
        const url = yield* served((req, res) => {
          let body = ""
          req.on("data", (part) => {
            body += part
          })
          req.on("end", () => {
            const { method = "", headers, url = "" } = req
            seen.push([method, url, `${headers.authorization} ${headers["x-api-key"]}`, body])
            const [, code = "", to = ""] = /^\/(\d+)-(.*)$/.exec(url) ?? []
            const location = {
              same: "/mcp/",
              other: `${stranger}/mcp`,
              scheme: "ftp://127.0.0.1/",
              blob: `blob:http://${req.headers.host}/x`,
              user: `http://secret@${req.headers.host}/mcp/`,
              long: `http://${"h".repeat(200)}.example/`,
              loop: url,
              bad: "http://"
            }[to]
            if (location !== undefined) res.writeHead(Number(code), { location })
            res.end(location === undefined ? "here" : "x".repeat(1000))
          })
        })
        const client = yield* make()
        const outcome = (path: string, more: Partial<ClientRequest> = {}) =>
          Effect.scoped(
            Effect.flatMap(client(requestOf(url + path, more)), ({ whole }) => Effect.map(whole(100), text))
          ).pipe(
            Effect.catch(({ outcome, reason }) =>
              Effect.succeed([
                outcome,
                reason._tag === "Redirected" && reason.why,
                reason._tag === "Redirected" && reason.to
              ])
            )
          )
        for (const code of [307, 308]) {
          seen.length = 0
          expect(yield* outcome(`/${code}-same`)).toBe("here")
          expect(seen.at(-1)).toEqual(["POST", "/mcp/", "Bearer secret k", "hello"])
          expect(yield* outcome(`/${code}-other`)).toEqual(["Rejected", "OtherOrigin", stranger])
          expect(yield* outcome(`/${code}-scheme`)).toEqual(["Rejected", "OtherOrigin", "ftp://127.0.0.1"])
          expect(yield* outcome(`/${code}-blob`)).toEqual(["Rejected", "OtherOrigin", "blob:"])
          expect(yield* outcome(`/${code}-user`)).toEqual(["Rejected", "OtherOrigin", url])
          expect(yield* outcome(`/${code}-bad`)).toEqual(["Rejected", "OtherOrigin", "an address that is none"])
          expect(yield* outcome(`/${code}-long`)).toEqual(["Rejected", "OtherOrigin", `http://${"h".repeat(93)}`])
          seen.length = 0
          expect(yield* outcome(`/${code}-loop`)).toEqual(["Rejected", "TooOften", `/${code}-loop`])
          expect(seen.length).toBe(4)
        }
        const get: Partial<ClientRequest> = { method: "GET", headers: { authorization: "Bearer secret" } }
        const { body: _none, ...bare } = requestOf(url, get)
        for (const code of [301, 302, 303]) {
          expect(yield* outcome(`/${code}-same`)).toEqual(["Rejected", "OtherMethod", "/mcp/"])
          const got = yield* Effect.scoped(
            Effect.flatMap(client({ ...bare, url: `${url}/${code}-same` }), ({ whole }) => whole(100))
          )
          expect(text(got)).toBe("here")
          const error = yield* Effect.flip(Effect.scoped(client({ ...bare, url: `${url}/${code}-other` })))
          expect(error.reason._tag).toBe("Redirected")
        }
        expect(strangers).toEqual([])
      })
    )
  })
}

describe("interceptors", () => {
  const answered = (status: number) =>
    Effect.succeed(ClientResponse.make({ status, headers: { "X-A": "b" }, body: "cached" }))
  const request = requestOf("http://a.test/")

  it.effect(
    "C-24 T-52 T-54 see requests in the order of the list, and answers in the opposite one, before anybody reads them",
    () =>
      Effect.gen(function* () {
        const order: Array<string> = []
        const noting =
          (name: string): Interceptor =>
          (request, next) =>
            Effect.gen(function* () {
              order.push(`${name} ${request.url}`)
              const response = yield* next({ ...request, url: `${request.url}${name}` })
              order.push(`${name} ${response.status}`)
              return response
            })
        const client = intercept(
          ({ url }) => {
            order.push(url)
            return answered(200)
          },
          [noting("1"), noting("2")]
        )
        const response = yield* client(request)
        expect(order).toEqual(["1 http://a.test/", "2 http://a.test/1", "http://a.test/12", "2 200", "1 200"])
        expect([text(yield* response.whole(10)), response.header("x-a")]).toEqual(["cached", "b"])
      })
  )

  it.effect("C-24 T-53 may send again, or answer without sending", () =>
    Effect.gen(function* () {
      let sent = 0
      const flaky = () =>
        Effect.suspend(() => (++sent < 3 ? Effect.fail(TransportError.make({ _tag: "Closed" })) : answered(200)))
      const retrying: Interceptor = (request, next) => Effect.retry(next(request), { times: 5 })
      expect((yield* intercept(flaky, [retrying])(request)).status).toBe(200)
      expect(sent).toBe(3)
      expect((yield* intercept(flaky, [() => answered(304), retrying])(request)).status).toBe(304)
      expect(sent).toBe(3)
    })
  )

  it.effect("T-53 leave it open whether a request ran that was sent again to nobody", () =>
    Effect.gen(function* () {
      const outcomes = ["Unknown", "NotSent"] as const
      let sent = 0
      const leaving = () =>
        Effect.suspend(() => {
          const reason = sent === 0 ? { _tag: "Closed" as const } : { _tag: "Unreachable" as const, what: "nobody" }
          return Effect.fail(TransportError.make(reason, outcomes[sent++]))
        })
      const retrying: Interceptor = (request, next) => Effect.retry(next(request), { times: 1 })
      const error = yield* Effect.flip(intercept(leaving, [retrying])(request))
      expect([sent, error.reason._tag, error.outcome]).toEqual([2, "Unreachable", "Unknown"])
      const alone = () => Effect.fail(TransportError.make({ _tag: "Unreachable", what: "nobody" }, "NotSent"))
      expect((yield* Effect.flip(intercept(alone, [retrying])(request))).outcome).toBe("NotSent")
    })
  )

  it.effect("T-54 run in the fiber of whoever asks, with its services", () =>
    Effect.gen(function* () {
      class Tenant extends Context.Reference<string>("test/Tenant", { defaultValue: () => "nobody" }) {}
      const fibers: Array<unknown> = []
      const tenant: Interceptor = (request, next) =>
        Effect.withFiber((fiber) => {
          fibers.push(fiber)
          return Effect.flatMap(Tenant, (tenant) => next({ ...request, headers: { tenant } }))
        })
      let headers: Headers = {}
      const client = intercept(
        (request) => {
          headers = request.headers
          return answered(200)
        },
        [tenant]
      )
      yield* Effect.withFiber((mine) => Effect.map(client(request), () => expect(fibers).toEqual([mine]))).pipe(
        Effect.provideService(Tenant, "acme")
      )
      expect(headers).toEqual({ tenant: "acme" })
    })
  )

  it.effect("T-55 can sign each request with a fresh token, in a few lines", () =>
    Effect.gen(function* () {
      let issued = 0
      const freshToken = Effect.sync(() => `token-${++issued}`)
      const signedIn: Interceptor = (request, next) =>
        Effect.flatMap(freshToken, (token) =>
          next({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } })
        )
      const seen: Array<unknown> = []
      const client = intercept(
        ({ headers }) => {
          seen.push(headers.authorization)
          return answered(200)
        },
        [signedIn]
      )
      yield* client(request)
      yield* client(request)
      expect(seen).toEqual(["Bearer token-1", "Bearer token-2"])
    })
  )
})
