import { type Host as AnyHost, JsonRpc } from "@effective-mcp/protocol"
import { Call, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { HttpServer, serve, toFetch } from "../src/server/index.ts"
import * as Host from "./support/host.ts"
import { ask, get, initialize, modern, post, served, session } from "./support/wire.ts"

/** Its listen streams say that they are open, and stay so; its `wait` says nothing and ends when it is told to. */
const makeListening = Effect.map(Effect.all([Deferred.make<void>(), Deferred.make<void>()]), ([go, begun]) => {
  let open = 0
  const host: AnyHost = {
    modern: {
      notify: () => Effect.void,
      exchange: ({ id, method }, say) =>
        method === "wait"
          ? Deferred.succeed(begun, undefined).pipe(
              Effect.andThen(Deferred.await(go)),
              Effect.as(JsonRpc.success(id, {}))
            )
          : Effect.suspend(() => {
              open++
              return say(JsonRpc.notification("notifications/subscriptions/acknowledged"))
            }).pipe(Effect.andThen(Effect.never), Effect.ensuring(Effect.sync(() => void open--)))
    },
    converse: () => Effect.never
  }
  return { host, begun: Deferred.await(begun), go: Deferred.succeed(go, undefined), open: () => open }
})

const listen = (id: number) => modern(id, "subscriptions/listen", { notifications: {} })

describe("listen streams", () => {
  it.live("S-10 S-27 S-42 are bounded: one more is 503, and one that ends makes room", () =>
    Effect.gen(function* () {
      const { host, open } = yield* makeListening
      const url = yield* served(host, { listens: 2 })
      const [one, two] = [yield* post(url, ...listen(1)), yield* post(url, ...listen(2))]
      for (const stream of [one, two]) expect((yield* stream.event)?.data).toContain("acknowledged")
      const { body, status } = yield* ask(url, ...listen(3))
      expect([status, body.id, body.error.code]).toEqual([503, 3, -32603])
      expect(open()).toBe(2)
      yield* one.leave
      const again = Effect.flatMap(post(url, ...listen(4)), ({ status }) =>
        status === 200 ? Effect.void : Effect.fail(new Error("full"))
      )
      yield* Effect.retry(again, { times: 100 })
    })
  )
})

describe("silence", () => {
  /** The body of one answer, as far as it has come, on the clock of the test. */
  const begin = Effect.fnUntraced(function* (host: AnyHost, options: Parameters<typeof HttpServer.make>[1] = {}) {
    const fetch = toFetch(yield* HttpServer.make(host, options))
    return ([message, headers]: ReturnType<typeof modern>) =>
      Effect.promise(async () => {
        const all = { accept: "*/*", "content-type": "application/json", ...(headers as Record<string, string>) }
        const request = new Request("http://localhost/", {
          method: "POST",
          headers: all,
          body: JSON.stringify(message)
        })
        return fetch(request)
      })
  })
  const reading = (response: Response) => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    return Effect.promise(async () => (await reader?.read())?.value)
  }

  it.effect("HTTP-19 S-28 is broken by a comment every 15 s on an open stream", () =>
    Effect.gen(function* () {
      const { host } = yield* makeListening
      const send = yield* begin(host)
      const next = reading(yield* send(listen(1)))
      expect(yield* next).toContain("acknowledged")
      for (let i = 0; i < 24; i++) {
        yield* TestClock.adjust("15 seconds")
        expect(yield* next).toBe(":\n\n")
      }
    })
  )

  it.effect("S-28 can be for ever", () =>
    Effect.gen(function* () {
      const { host, open } = yield* makeListening
      const send = yield* begin(host, { keepAliveMs: Infinity })
      const response = yield* send(listen(1))
      const next = reading(response)
      yield* next
      const more = yield* Effect.forkChild(next)
      yield* TestClock.adjust("1 hour")
      expect([more.pollUnsafe(), open()]).toEqual([undefined, 1])
    })
  )

  it.effect("of a request that takes long ends with the head of a stream", () =>
    Effect.gen(function* () {
      const { begun, go, host } = yield* makeListening
      const send = yield* begin(host)
      const waiting = yield* Effect.forkChild(send(modern(1, "wait")), { startImmediately: true })
      yield* begun
      yield* TestClock.adjust("15 seconds")
      expect(waiting.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust("15 seconds")
      const response = yield* Fiber.join(waiting)
      expect(response.headers.get("content-type")).toBe("text/event-stream")
      yield* go
      expect(yield* Effect.promise(() => response.text())).toBe(
        `:\n\ndata: ${JSON.stringify(JsonRpc.success(1, {}))}\n\n`
      )
    })
  )
})

describe("a client that does not read", () => {
  it.live("S-37 holds back what is said to it, in both eras, and keeps nobody waiting once it has left", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const said = { modern: 0, legacy: 0 }
      const text = "x".repeat(64 * 1024)
      const flood = (era: keyof typeof said) =>
        Tool.make(era, {
          description: "Says more than anybody reads",
          input: {},
          run: () =>
            Effect.gen(function* () {
              const { progress } = yield* Call
              while (said[era] < 5_000) yield* progress(++said[era], undefined, text)
              yield* Deferred.succeed(ended, undefined)
              return "done"
            })
        })
      const url = yield* served(Server.make({ name: "s", version: "1" }, [flood("modern"), flood("legacy")]))
      const opened = yield* session(url)
      const params = (name: string) => ({ name, _meta: { progressToken: 1 } })
      const legacy = yield* post(url, JsonRpc.request(1, "tools/call", params("legacy")), opened)
      const modernAnswer = yield* post(url, ...modern(1, "tools/call", params("modern")))
      for (const era of ["legacy", "modern"] as const) {
        let before = -1
        while (before !== said[era]) {
          before = said[era]
          yield* Effect.sleep(50)
        }
        expect(before).toBeLessThan(1_000)
      }
      yield* Effect.all([legacy.leave, modernAnswer.leave])
      // the legacy one goes on by itself, the modern one does not
      yield* Deferred.await(ended)
      expect([said.legacy, said.modern < 5_000]).toEqual([5_000, true])
    })
  )
})

describe("the end of an endpoint", () => {
  it.live("lets what runs come to an end, ends streams at once, and takes nothing new", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const host = yield* Host.make
      const { url } = yield* Scope.provide(serve(host), scope)
      const opened = yield* session(url)
      const stream = yield* get(url, opened)
      const running = yield* post(url, JsonRpc.request(1, "pause"), opened)
      const alone = yield* post(url, ...modern(1, "pause"))
      yield* Effect.all([running.event, alone.event])
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      expect(yield* stream.event).toBe(undefined)
      const refused = yield* Effect.exit(post(url, initialize()))
      if (Exit.isSuccess(refused)) expect(refused.value.status).toBe(503)
      expect(closing.pollUnsafe()).toBe(undefined)
      yield* host.fixture.exchange(JsonRpc.request(2, "release"), () => Effect.void)
      for (const { event } of [running, alone]) {
        expect(JSON.parse((yield* event)?.data ?? "null")).toEqual(JsonRpc.success(1, { id: 1 }))
      }
      yield* Fiber.join(closing)
      expect([host.begun(), host.ended()]).toEqual([1, 1])
      expect(Exit.isFailure(yield* Effect.exit(post(url, initialize())))).toBe(true)
    })
  )

  it.live("interrupts what does not end in time", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const host = yield* Host.make
      const { url } = yield* Scope.provide(serve(host, { drainMs: 20 }), scope)
      const opened = yield* session(url)
      const [legacy, alone] = [
        yield* post(url, JsonRpc.request(1, "linger"), opened),
        yield* post(url, ...modern(1, "linger"))
      ]
      yield* Effect.all([legacy.event, alone.event])
      yield* Scope.close(scope, Exit.void)
      expect([yield* legacy.text, yield* alone.text]).toEqual(["", ""])
      yield* host.fixture.exchange(JsonRpc.request(2, "abandoned"), () => Effect.void)
    })
  )

  it.live("an address that is taken fails typed", () =>
    Effect.gen(function* () {
      const { port } = yield* serve(yield* Host.make)
      const error = yield* Effect.flip(serve(yield* Host.make, { port }))
      expect([error._tag, error.reason._tag, error.outcome]).toEqual(["TransportError", "Unreachable", "NotSent"])
    })
  )
})
