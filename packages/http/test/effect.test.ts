import { createServer } from "node:http"
import { connect } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { toHttpEffect } from "../src/adapter/effect.ts"
import type { HttpHandler } from "../src/index.ts"
import { byHand, makeFlood, makeFloodFor, makeWriter, PART, settled, TYPE, WRITTEN } from "./support.ts"

/** Handlers that die are logged. */
const quiet = Context.make(References.MinimumLogLevel, "None")

type Routes = Layer.Layer<never, never, HttpRouter.HttpRouter>

const routeOf = (handler: HttpHandler): Routes => HttpRouter.add("*", "/p", toHttpEffect(handler))

/** As a function of web standards, which is how Bun, Deno and Workers serve a router. */
const asFunction = (routes: Routes) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => HttpRouter.toWebHandler(routes, { disableLogger: true })),
      ({ dispose }) => Effect.promise(dispose)
    ),
    ({ handler }) =>
      (init: RequestInit = {}) =>
        Effect.promise(() => handler(new Request("http://a.example:81/p?q=1", init), quiet))
  )

declare const Bun: {
  serve(options: object): { readonly port: number; stop(isNow: boolean): Promise<void> }
}
declare const Deno: {
  serve(
    options: object,
    handler: (request: Request) => Promise<Response>
  ): {
    readonly addr: { readonly port: number }
    shutdown(): Promise<void>
  }
}

const onNode = (routes: Routes) =>
  Effect.gen(function* () {
    const options = { host: "127.0.0.1", port: 0, gracefulShutdownTimeout: 100 }
    const served = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true })
    const context = yield* Layer.build(
      Layer.provideMerge(
        served,
        NodeHttpServer.layer(() => createServer(), options)
      )
    )
    const { address } = Context.get(context, HttpServer.HttpServer)
    return "port" in address ? address.port : 0
  })

/** On the runtime's own server; gives the port. */
const onServer = (routes: Routes) => {
  if (!("Bun" in globalThis || "Deno" in globalThis)) return onNode(routes)
  const own = { hostname: "127.0.0.1", port: 0, idleTimeout: 0, onListen: () => {} }
  return Effect.gen(function* () {
    const { dispose, handler } = HttpRouter.toWebHandler(routes, { disableLogger: true })
    yield* Effect.addFinalizer(() => Effect.promise(dispose))
    if ("Bun" in globalThis) {
      const server = Bun.serve({ ...own, fetch: (request: Request) => handler(request, quiet) })
      yield* Effect.addFinalizer(() => Effect.promise(() => server.stop(true)))
      return server.port
    }
    const server = Deno.serve(own, (request) => handler(request, quiet))
    // it waits for connections that only end with the process
    yield* Effect.addFinalizer(() => Effect.sync(() => void server.shutdown()))
    return server.addr.port
  })
}

const fetched = (port: number, init: RequestInit = {}) =>
  Effect.promise(() => fetch(`http://127.0.0.1:${port}/p?q=1`, init))

/** Asks in both ways. */
const both = (routes: Routes, init: RequestInit = {}) =>
  Effect.gen(function* () {
    const ask = yield* asFunction(routes)
    return [yield* ask(init), yield* fetched(yield* onServer(routes), init)]
  })

const said = (response: Response) => Effect.promise(() => response.text())

const echo: HttpHandler = (request, response) =>
  Effect.match(request.body(1_000), {
    onSuccess: (bytes) =>
      response.whole(200, TYPE, `${request.method} ${request.url} ${new TextDecoder().decode(bytes)}`),
    onFailure: ({ reason }) => response.whole(413, TYPE, reason)
  })

describe("a route of Effect's HttpRouter", () => {
  it.live("hands over what was asked, and answers at once", () =>
    Effect.gen(function* () {
      for (const response of yield* both(routeOf(echo), { method: "POST", body: "hellö" })) {
        expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain"])
        expect(yield* said(response)).toMatch(/^POST \S+\/p\?q=1 hellö$/)
      }
      const none: HttpHandler = (_request, response) => Effect.sync(() => response.whole(202, { "x-a": "b" }))
      for (const response of yield* both(routeOf(none))) {
        expect([response.status, response.headers.get("x-a"), yield* said(response)]).toEqual([202, "b", ""])
      }
    })
  )

  it.live("names the host, and only headers that came", () =>
    Effect.gen(function* () {
      const names: HttpHandler = (request, response) =>
        Effect.sync(() => {
          const own = ["host", "x-a", "constructor", "__proto__"].map((name) => request.header(name) ?? "-")
          response.whole(200, TYPE, own.join(" "))
        })
      const [web, own] = yield* both(routeOf(names), { headers: { "X-A": "1" } })
      expect(yield* said(web!)).toBe("a.example:81 1 - -")
      expect(yield* said(own!)).toMatch(/^127\.0\.0\.1:\d+ 1 - -$/)
    })
  )

  it.live("reads a body under the handler's limit, whatever its length was said to be", () =>
    Effect.gen(function* () {
      const long = "x".repeat(1_001)
      for (const body of [long, new Blob([long]).stream()]) {
        const ask = yield* asFunction(routeOf(echo))
        const response = yield* ask({ method: "POST", body, duplex: "half" } as RequestInit)
        expect([response.status, yield* said(response)]).toEqual([413, "TooLarge"])
      }
      const response = yield* fetched(yield* onServer(routeOf(echo)), { method: "POST", body: long })
      expect([response.status, yield* said(response)]).toEqual([413, "TooLarge"])
    })
  )

  it.live("takes a body that middleware has read before, and counts it", () =>
    Effect.gen(function* () {
      const reading = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) => Effect.orDie(text))
      const routes = HttpRouter.add("*", "/p", Effect.andThen(reading, toHttpEffect(echo)))
      for (const response of yield* both(routes, { method: "POST", body: "read" })) {
        expect(yield* said(response)).toMatch(/ read$/)
      }
      for (const response of yield* both(routes, { method: "POST", body: "x".repeat(1_001) })) {
        expect(yield* said(response)).toBe("TooLarge")
      }
    })
  )

  it.live("sends the head before anything is said, and parts in order as they are written", () =>
    Effect.gen(function* () {
      for (const way of ["function", "server"]) {
        const go = yield* Deferred.make<void>()
        const more = yield* Deferred.make<void>()
        const handler: HttpHandler = (_request, response) =>
          Effect.gen(function* () {
            response.head(200, TYPE)
            yield* Deferred.await(go)
            response.offer("0")
            yield* response.write("1")
            yield* Deferred.await(more)
            yield* response.write("2")
            response.end("3")
            yield* response.write("4")
            response.offer("5")
            response.end("6")
            response.whole(500, TYPE, "7")
          })
        const routes = routeOf(handler)
        // the one server that sends no head before the first byte
        if (way === "server" && "Bun" in globalThis) yield* Deferred.succeed(go, undefined)
        const response =
          way === "server"
            ? yield* fetched(yield* onServer(routes))
            : yield* Effect.flatMap(asFunction(routes), (ask) => ask())
        expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain"])
        yield* Deferred.succeed(go, undefined)
        const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
        const next = Effect.promise(async () => (await reader.read()).value ?? "")
        let text = ""
        while (text.length < 2) text += yield* next
        expect(text).toBe("01")
        yield* Deferred.succeed(more, undefined)
        while (text.length < 4) text += yield* next
        expect([text, (yield* Effect.promise(() => reader.read())).done]).toEqual(["0123", true])
      }
    })
  )

  it.live("answers for a handler that dies or says nothing, without its words", () =>
    Effect.gen(function* () {
      const dying: HttpHandler = () => Effect.die(new Error("a secret"))
      const throwing: HttpHandler = () => {
        throw new Error("a secret")
      }
      for (const handler of [dying, throwing, (() => Effect.void) satisfies HttpHandler]) {
        for (const response of yield* both(routeOf(handler))) {
          expect([response.status, yield* said(response)]).toEqual([500, "Internal server error"])
        }
      }
      const inside: HttpHandler = (_request, response) => {
        response.head(200, TYPE)
        return Effect.andThen(response.write("begun"), Effect.die(new Error("a secret")))
      }
      for (const response of yield* both(routeOf(inside))) expect(yield* said(response)).toBe("begun")
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  )

  it.live("holds back a handler whose client does not read, and ends it when the client leaves", () =>
    Effect.gen(function* () {
      const flood = yield* makeFlood
      const response = yield* Effect.flatMap(asFunction(routeOf(flood.handler)), (ask) => ask())
      const held = yield* settled(flood.said)
      // some of it is with the stream already, which takes a part at a time
      expect(held * PART).toBeLessThanOrEqual(256 * 1024)
      yield* Effect.promise(async () => response.body?.cancel())
      expect(yield* flood.ended).toBe(held)

      const other = yield* makeFlood
      const socket = connect(yield* onServer(routeOf(other.handler)), "127.0.0.1")
      socket.on("error", () => {})
      socket.pause()
      socket.write("GET /p HTTP/1.1\r\nhost: a\r\n\r\n")
      expect(yield* settled(other.said)).toBeLessThan(10_000)
      socket.destroy()
      expect(yield* other.ended).toBeLessThan(10_000)
    })
  )

  it.live("lets a reader go that takes nothing for two beats", () =>
    Effect.gen(function* () {
      const { beat, beats, size } = byHand()
      const flood = yield* makeFloodFor(beats)
      const response = yield* Effect.flatMap(asFunction(routeOf(flood.handler)), (ask) => ask())
      const held = yield* settled(flood.said)
      yield* Effect.andThen(beat, beat)
      expect([yield* flood.ended, size()]).toEqual([held, 0])
      expect(yield* Effect.promise(() => response.text().catch(() => "broken off"))).toBe("broken off")

      const other = yield* makeFloodFor(beats)
      const socket = connect(yield* onServer(routeOf(other.handler)), "127.0.0.1")
      yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
      socket.on("error", () => {})
      socket.pause()
      socket.write("GET /p HTTP/1.1\r\nhost: a\r\n\r\n")
      const said = yield* settled(other.said)
      yield* Effect.andThen(beat, beat)
      expect([yield* other.ended, size()]).toEqual([said, 0])
      yield* Effect.callback<void>((resume) => {
        socket.on("close", () => resume(Effect.void))
        socket.resume()
      })
    })
  )

  it.live("lets a writer go on whenever its reader takes something or leaves, even between two of its steps", () =>
    Effect.gen(function* () {
      for (let turns = 0; turns < 120; turns++) {
        const { done, handler } = yield* makeWriter
        const response = yield* Effect.flatMap(asFunction(routeOf(handler)), (ask) => ask())
        for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
        yield* Effect.promise(async () => response.body?.cancel())
        yield* done
      }
      const read = yield* makeWriter
      const whole = yield* Effect.flatMap(asFunction(routeOf(read.handler)), (ask) => ask())
      expect((yield* said(whole)).length).toBe(WRITTEN)
    })
  )

  it.live("interrupts a silent handler when its client leaves", () =>
    Effect.gen(function* () {
      for (const way of ["function", "server"]) {
        const [begun, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const handler: HttpHandler = (request) =>
          Effect.ignore(request.body(10)).pipe(
            Effect.andThen(Deferred.succeed(begun, undefined)),
            Effect.andThen(Effect.never),
            Effect.ensuring(Deferred.succeed(ended, undefined))
          )
        const leaving = new AbortController()
        const init = { method: "POST", body: "x", signal: leaving.signal }
        const routes = routeOf(handler)
        const ask =
          way === "server"
            ? Effect.flatMap(onServer(routes), (port) => fetched(port, init))
            : Effect.flatMap(asFunction(routes), (ask) => ask(init))
        yield* Effect.forkScoped(Effect.ignoreCause(ask))
        yield* Deferred.await(begun)
        leaving.abort()
        yield* Deferred.await(ended)
      }
    })
  )

  it.live("interrupts a handler whose route is interrupted, and leaves one alone that has answered", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const silent: HttpHandler = () => Effect.ensuring(Effect.never, Deferred.succeed(ended, undefined))
      const routes = HttpRouter.add("*", "/p", Effect.orDie(Effect.timeout(toHttpEffect(silent), 20)))
      const response = yield* Effect.flatMap(asFunction(routes), (ask) => ask())
      expect(response.status).toBe(500)
      yield* Deferred.await(ended)

      const [go, through] = [yield* Deferred.make<void>(), yield* Deferred.make<string>()]
      const lasting: HttpHandler = (_request, response) =>
        Effect.suspend(() => {
          response.whole(200, TYPE, "done")
          return Deferred.await(go)
        }).pipe(Effect.onExit((exit) => Deferred.succeed(through, exit._tag)))
      const answered = yield* Effect.flatMap(asFunction(routeOf(lasting)), (ask) => ask())
      expect(yield* said(answered)).toBe("done")
      yield* Deferred.succeed(go, undefined)
      expect(yield* Deferred.await(through)).toBe("Success")
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  )
})
