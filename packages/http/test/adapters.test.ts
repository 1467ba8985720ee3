import { request as open, type IncomingMessage } from "node:http"
import { connect } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as References from "effect/References"
import { toFetch } from "../src/adapter/fetch.ts"
import type { HttpHandler } from "../src/index.ts"
import { makeFlood, makeWriter, onNode, PART, settled, TYPE, WRITTEN } from "./support.ts"

const ask = (port: number, body: string | undefined, headers: Record<string, string> = {}, method = "POST") =>
  Effect.callback<{ status: number; text: string; headers: IncomingMessage["headers"] }>((resume) => {
    const request = open({ port, host: "127.0.0.1", method, headers, agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (part: string) => (text += part))
      const done = () => resume(Effect.succeed({ status: response.statusCode ?? 0, text, headers: response.headers }))
      response.on("end", done).on("error", done)
    })
    request.on("error", () => {})
    request.end(body)
  })

const fetched = (handler: HttpHandler, init: RequestInit = {}) =>
  Effect.promise(() => toFetch(handler)(new Request("http://a.example:81/p?q=1", init)))

const echo: HttpHandler = (request, response) =>
  Effect.match(request.body(1_000), {
    onSuccess: (bytes) =>
      response.whole(200, TYPE, `${request.method} ${request.url} ${new TextDecoder().decode(bytes)}`),
    onFailure: ({ reason }) => response.whole(413, TYPE, reason)
  })

describe("an adapter", () => {
  it.live("hands over what was asked, and answers at once", () =>
    Effect.gen(function* () {
      const port = yield* onNode(echo)
      const whole = yield* ask(port, "hellö")
      expect([whole.status, whole.text, whole.headers["content-length"]]).toEqual([200, "POST / hellö", "13"])
      const response = yield* fetched(echo, { method: "POST", body: "hellö" })
      expect(yield* Effect.promise(() => response.text())).toBe("POST http://a.example:81/p?q=1 hellö")
      const none = yield* fetched(echo)
      expect(yield* Effect.promise(() => none.text())).toBe("GET http://a.example:81/p?q=1 ")
      const host: HttpHandler = (request, response) =>
        Effect.sync(() => response.whole(200, TYPE, request.header("host") ?? ""))
      const named = yield* fetched(host)
      expect(yield* Effect.promise(() => named.text())).toBe("a.example:81")
    })
  )

  it.live("tells of every header that came twice, or refuses it: never of the first alone", () =>
    Effect.gen(function* () {
      const port = yield* onNode((request, response) =>
        Effect.sync(() =>
          response.whole(
            200,
            TYPE,
            ["host", "content-type", "authorization"].map((name) => request.header(name)).join(" | ")
          )
        )
      )
      const names = ["Host", "content-type", "AUTHORIZATION"]
      for (const name of names) {
        const lines = names.map((each) => `${each}: first`)
        const said = yield* Effect.callback<string>((resume) => {
          const socket = connect(port, "127.0.0.1", () => {
            socket.write(`GET / HTTP/1.1\r\n${[...lines, `${name}: second`].join("\r\n")}\r\nConnection: close\r\n\r\n`)
          })
          let text = ""
          socket.on("data", (part) => (text += part.toString()))
          socket.on("error", () => {}).on("close", () => resume(Effect.succeed(text)))
        })
        const all = names.map((each) => (each === name ? "first, second" : "first")).join(" | ")
        expect([name, said.startsWith("HTTP/1.1 400") || said.includes(all)]).toEqual([name, true])
      }
    }).pipe(Effect.scoped)
  )

  it.live("knows no host where a request names none", () =>
    Effect.gen(function* () {
      const nameless = new Request("http://a.example/")
      Object.defineProperty(nameless, "url", { value: "/path" })
      const handler: HttpHandler = (request, response) =>
        Effect.sync(() => response.whole(200, TYPE, `${request.header("host")} ${request.header("constructor")}`))
      const answer = yield* Effect.promise(() => toFetch(handler)(nameless))
      expect(yield* Effect.promise(() => answer.text())).toBe("undefined undefined")
    })
  )

  it.live("counts a body while it comes, whatever its length was said to be", () =>
    Effect.gen(function* () {
      const port = yield* onNode(echo)
      const long = "x".repeat(1_001)
      expect((yield* ask(port, long)).text).toBe("TooLarge")
      expect((yield* ask(port, long, { "transfer-encoding": "chunked" })).text).toBe("TooLarge")
      for (const body of [long, new Blob([long]).stream()]) {
        const init = { method: "POST", body, duplex: "half" } as const
        const response = yield* fetched(echo, init)
        expect(yield* Effect.promise(() => response.text())).toBe("TooLarge")
      }
      for (const direct of [false, true]) {
        const post = (body: string) => {
          const init = { method: "POST", body, headers: { "content-length": "5" } }
          return Effect.promise(() => toFetch(echo, { direct })(new Request("http://a.example/", init)))
        }
        expect((yield* post(long)).status).toBe(413)
        const right = yield* post("right")
        expect(yield* Effect.promise(() => right.text())).toBe("POST http://a.example/ right")
      }
    })
  )

  it.live("takes no more of a long body than it may have, however long it was said to be", () =>
    Effect.gen(function* () {
      const reads: HttpHandler = (request, response) =>
        Effect.match(request.body(200_000), {
          onSuccess: () => response.whole(200, TYPE, "read"),
          onFailure: ({ reason }) => response.whole(413, TYPE, reason)
        })
      // more than was said, and then nothing: who waits for its end waits for ever
      const body = () =>
        new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(200_001)) })
      for (const length of ["150000", "10", "-1", "0", "1e1", "10, 10", "x"]) {
        const headers = { "content-length": length }
        const said = { method: "POST", body: body(), headers, duplex: "half" } as const
        expect([length, (yield* fetched(reads, said)).status]).toEqual([length, 413])
      }
    })
  )

  it.live("has nothing of a body that was read before, and does not wait for it", () =>
    Effect.gen(function* () {
      for (const spend of [(request: Request) => request.text(), (request: Request) => request.body?.getReader()]) {
        const request = new Request("http://a.example", { method: "POST", body: "spent" })
        yield* Effect.promise(async () => spend(request))
        const response = yield* Effect.promise(() => toFetch(echo)(request))
        expect(yield* Effect.promise(() => response.text())).toBe("Broken")
      }
    })
  )

  it.live("takes nothing more of a body that nobody waits for any more", () =>
    Effect.gen(function* () {
      const left = yield* Deferred.make<void>()
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new Uint8Array(1)),
        cancel: () => void Deferred.doneUnsafe(left, Effect.void)
      })
      const handler: HttpHandler = (request, response) =>
        Effect.andThen(
          Effect.timeoutOption(Effect.orDie(request.body(10)), 1),
          Effect.sync(() => response.whole(408, TYPE, "late"))
        )
      const init = { method: "POST", body, duplex: "half" } as const
      expect((yield* fetched(handler, init)).status).toBe(408)
      yield* Deferred.await(left)
    })
  )

  it.live("has a body at once that came with its head, and waits for one that comes later", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const port = yield* onNode((request, response) => {
        const reading = request.body(10)
        Deferred.doneUnsafe(begun, Effect.void)
        return Effect.map(Effect.orDie(reading), (bytes) =>
          response.whole(200, TYPE, `${Exit.isExit(reading)} ${bytes.length}`)
        )
      })
      const say = (head: string, later?: string) =>
        Effect.callback<string>((resume) => {
          let text = ""
          const socket = connect(port, "127.0.0.1", () => socket.write(head))
          socket.on("data", (part) => (text += part.toString()))
          socket.on("end", () => resume(Effect.succeed(text.split("\r\n\r\n")[1] ?? "")))
          if (later === undefined) return
          Effect.runFork(
            Effect.andThen(
              Deferred.await(begun),
              Effect.sync(() => socket.write(later))
            )
          )
        })
      const head = "POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 3\r\n\r\n"
      expect(yield* say(head, "abc")).toBe("false 3")
      expect(yield* say(`${head}abc`)).toBe("true 3")
      expect(yield* say("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")).toBe("true 0")
    })
  )

  it.live("takes a body that was parsed before", () =>
    Effect.gen(function* () {
      const parsing = (parse: (text: string) => unknown) => async (req: IncomingMessage) => {
        let text = ""
        for await (const part of req) text += String(part)
        Object.assign(req, { body: parse(text) })
      }
      for (const parse of [JSON.parse, (text: string) => text, (text: string) => new TextEncoder().encode(text)]) {
        const port = yield* onNode(echo, parsing(parse))
        expect((yield* ask(port, '{"a":1}')).text).toBe('POST / {"a":1}')
      }
    })
  )

  it.live("lets its client read a refusal although the body still comes, and takes no end of it", () =>
    Effect.gen(function* () {
      const refusing: HttpHandler = (_request, response) => Effect.sync(() => response.whole(403, TYPE, "no"))
      const port = yield* onNode(refusing)
      const { status, text } = yield* ask(port, "x".repeat(300_000))
      expect([status, text]).toEqual([403, "no"])
      // a client that never stops is cut off
      yield* Effect.callback<void>((resume) => {
        const socket = connect(port, "127.0.0.1")
        const done = () => resume(Effect.void)
        socket.on("close", done).on("error", () => {})
        socket.write("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n")
        const part = `10000\r\n${"x".repeat(65_536)}\r\n`
        const go = (): void => {
          while (!socket.destroyed && socket.write(part));
          if (!socket.destroyed) socket.once("drain", go)
        }
        go()
        socket.resume()
      })
    })
  )

  it.live("answers for a handler that dies or says nothing, without its words", () =>
    Effect.gen(function* () {
      const dying: HttpHandler = () => Effect.die(new Error("a secret"))
      const throwing: HttpHandler = () => {
        throw new Error("a secret")
      }
      const silent: HttpHandler = () => Effect.void
      const inside: HttpHandler = (_request, response) => {
        response.head(200, TYPE)
        return Effect.andThen(response.write("begun"), Effect.die(new Error("a secret")))
      }
      for (const handler of [dying, throwing, silent]) {
        const port = yield* onNode(handler)
        expect(yield* ask(port, "x")).toMatchObject({ status: 500, text: "Internal server error" })
        const response = yield* fetched(handler)
        expect([response.status, yield* Effect.promise(() => response.text())]).toEqual([500, "Internal server error"])
      }
      expect(yield* ask(yield* onNode(inside), "x")).toMatchObject({ status: 200, text: "begun" })
      const response = yield* fetched(inside)
      expect(yield* Effect.promise(() => response.text())).toBe("begun")
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  )

  it.live("sends the head before anything is said, and parts in order", () =>
    Effect.gen(function* () {
      const go = yield* Deferred.make<void>()
      const handler: HttpHandler = (_request, response) =>
        Effect.gen(function* () {
          response.head(200, TYPE)
          response.offer("0")
          yield* Deferred.await(go)
          yield* response.write("1")
          yield* response.write("2")
          response.end("3")
          yield* response.write("4")
          response.offer("5")
          response.end("6")
          response.whole(500, TYPE, "7")
        })
      const response = yield* fetched(handler)
      expect(response.status).toBe(200)
      yield* Deferred.succeed(go, undefined)
      expect(yield* Effect.promise(() => response.text())).toBe("0123")
      expect((yield* ask(yield* onNode(handler), "x")).text).toBe("0123")
    })
  )

  it.live("holds back a handler whose client does not read, and lets it go when the client leaves", () =>
    Effect.gen(function* () {
      const flood = yield* makeFlood
      const response = yield* fetched(flood.handler)
      const held = yield* settled(flood.said)
      // of what nobody reads, however much is said at once
      expect(held * PART).toBeLessThanOrEqual(128 * 1024)
      yield* Effect.promise(async () => response.body?.cancel())
      expect(yield* flood.ended).toBe(held)

      const other = yield* makeFlood
      const port = yield* onNode(other.handler)
      const socket = connect(port, "127.0.0.1")
      socket.on("error", () => {})
      socket.pause()
      socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n")
      yield* settled(other.said)
      socket.destroy()
      expect(yield* other.ended).toBeLessThan(10_000)
    })
  )

  it.live("lets a writer go on whenever its reader takes something or leaves, even between two of its steps", () =>
    Effect.gen(function* () {
      for (let turns = 0; turns < 120; turns++) {
        const { done, handler } = yield* makeWriter
        const response = yield* fetched(handler)
        for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
        yield* Effect.promise(async () => response.body?.cancel())
        yield* done
      }
      const read = yield* makeWriter
      const whole = yield* fetched(read.handler)
      expect((yield* Effect.promise(() => whole.text())).length).toBe(WRITTEN)
      const other = yield* makeWriter
      const { text } = yield* ask(yield* onNode(other.handler), undefined)
      expect(text.length).toBe(WRITTEN)
    }).pipe(Effect.scoped)
  )

  it.live("interrupts a silent handler when its client leaves, once", () =>
    Effect.gen(function* () {
      let ends = 0
      const [begun, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const handler: HttpHandler = (request) =>
        request.body(10).pipe(
          Effect.ignore,
          Effect.andThen(Deferred.succeed(begun, undefined)),
          Effect.andThen(Effect.never),
          Effect.ensuring(
            Effect.suspend(() => {
              ends++
              return Deferred.succeed(ended, undefined)
            })
          )
        )
      const leaving = new AbortController()
      const answer = toFetch(handler)(new Request("http://a/", { method: "POST", body: "x", signal: leaving.signal }))
      yield* Deferred.await(begun)
      // the signal is asked a moment later
      yield* Effect.sleep(5)
      leaving.abort()
      yield* Deferred.await(ended)
      expect((yield* Effect.promise(() => answer)).status).toBe(499)
      leaving.abort()
      expect(ends).toBe(1)
    })
  )
})
