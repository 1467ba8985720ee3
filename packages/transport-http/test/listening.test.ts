import { Closing, type Host, JsonRpc, type Lasting, Meta } from "@effective-mcp/protocol"
import { Changes, type Middleware, Resource, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { type Answer, ask, modern, post, served } from "./support/wire.ts"

const info = { name: "s", version: "1" }
const features = [
  Tool.make("t", { run: () => Effect.succeed([]) }),
  Resource.make("a:b", { read: Effect.succeed("text") })
]

const listen = (notifications: JsonRpc.JsonObject, id: JsonRpc.RequestId = "s") =>
  modern(id, "subscriptions/listen", { notifications })
const lists = { toolsListChanged: true }
const both = { ...lists, resourceSubscriptions: ["a:b", "a:none"] }

const next = ({ event }: Answer) => Effect.map(event, (fields) => JSON.parse(fields?.data ?? "null"))
const _meta = { [Meta.SUBSCRIPTION_ID]: "s" }
const tools = { method: "notifications/tools/list_changed", params: { _meta } }

/** Tells what has gone around it and has ended. */
const noting =
  (ended: Array<string>): Middleware =>
  (operation, next) =>
    Effect.ensuring(
      next,
      Effect.sync(() => void ended.push(operation.method))
    )

const tracing = (ended: Array<string>): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const end = span.end.bind(span)
      span.end = (at, exit) => {
        ended.push(options.name)
        end(at, exit)
      }
      return span
    }
  })

const serving = Effect.fnUntraced(function* (middleware: ReadonlyArray<Middleware>, isTraced: boolean) {
  const ended: Array<string> = []
  const changes = Changes.make()
  const around = middleware.length === 0 ? [] : [noting(ended)]
  const server = Server.make(info, features, { changes, middleware: around })
  const serve = served(server, { listens: 1 })
  const scope = yield* Scope.make()
  const url = yield* Scope.provide(isTraced ? Effect.withTracer(serve, tracing(ended)) : serve, scope)
  return { changes, ended, url, close: Scope.close(scope, Exit.void) }
})

const any: Middleware = (_operation, next) => next

describe.each([
  ["alone", [], false],
  ["with middleware", [any], false],
  ["traced", [], true]
] as const)("a listen stream, %s,", (_name, middleware, isTraced) => {
  const around = middleware.length > 0 || isTraced ? ["subscriptions/listen"] : []

  it.live.each([lists, both])("says what it grants first, then what changes, and its result last: %j", (wish) =>
    Effect.gen(function* () {
      const { changes, close, ended, url } = yield* serving(middleware, isTraced)
      const stream = yield* post(url, ...listen(wish))
      const notifications = wish === lists ? lists : { ...lists, resourceSubscriptions: ["a:b"] }
      expect(yield* next(stream)).toMatchObject({
        method: "notifications/subscriptions/acknowledged",
        params: { _meta, notifications }
      })
      for (let i = 0; i < 3; i++) {
        yield* changes.publish(Changes.listChanged("tools"))
        expect(yield* next(stream)).toMatchObject(tools)
      }
      expect(ended).toEqual([])
      yield* close
      expect(yield* next(stream)).toMatchObject({ id: "s", result: { resultType: "complete", _meta } })
      expect(yield* stream.event).toBe(undefined)
      expect(ended).toEqual(around)
    })
  )

  it.live("makes room when its client leaves, and what goes around it ends", () =>
    Effect.gen(function* () {
      const { close, ended, url } = yield* serving(middleware, isTraced)
      const stream = yield* post(url, ...listen(lists))
      yield* next(stream)
      expect((yield* ask(url, ...listen(lists, 2))).status).toBe(503)
      yield* stream.leave
      const again = Effect.flatMap(post(url, ...listen(lists, 3)), (answer) =>
        answer.status === 200 ? next(answer) : Effect.fail(new Error("full"))
      )
      yield* Effect.retry(again, { times: 100 })
      expect(ended).toEqual(around)
      yield* close
    })
  )

  it.live("is refused where the wish is none, or too much", () =>
    Effect.gen(function* () {
      const { close, url } = yield* serving(middleware, isTraced)
      for (const wish of [{ toolsListChanged: "yes" }, { resourceSubscriptions: ["a".repeat(2 ** 20)] }]) {
        const { body, status } = yield* ask(url, ...listen(wish))
        expect([status, body.error.code]).toEqual([400, -32602])
      }
      yield* close
    })
  )
})

describe("what keeps a listen stream", () => {
  const hosting = Effect.fnUntraced(function* (answer: (lasting: Lasting) => Effect.Effect<JsonRpc.Response>) {
    const done: Array<string> = []
    const left = yield* Deferred.make<void>()
    let over = (): void => {}
    const lasting: Lasting = {
      rest: () =>
        Effect.callback((resume) => {
          done.push("rest")
          over = () => resume(Effect.void)
        }),
      end: () => over(),
      leave: () => {
        done.push("leave")
        return Effect.asVoid(Deferred.succeed(left, undefined))
      }
    }
    const host: Host = {
      modern: {
        notify: () => Effect.void,
        exchange: (_request, say) =>
          Effect.flatMap(Closing, (closing) => {
            closing.keep?.(lasting)
            return Effect.andThen(say(JsonRpc.notification("notifications/x")), answer(lasting))
          })
      },
      converse: () => Effect.never
    }
    return { done, left: Deferred.await(left), url: yield* served(host) }
  })

  it.live("runs the rest, and sees to its end when the client leaves", () =>
    Effect.gen(function* () {
      const { done, left, url } = yield* hosting(() => Effect.succeed(JsonRpc.success("s", {})))
      const stream = yield* post(url, ...listen(lists))
      yield* stream.event
      yield* stream.leave
      yield* left
      expect(done).toEqual(["rest", "leave"])
    })
  )

  it.live.each([
    ["fails", Effect.succeed(JsonRpc.failure("s", { code: -32603, message: "no" }))],
    ["dies", Effect.die("a secret")]
  ] as const)("runs no rest of an exchange that %s", ([_how, answer]) =>
    Effect.gen(function* () {
      const { done, left, url } = yield* hosting(() => answer)
      const stream = yield* post(url, ...listen(lists))
      yield* stream.event
      expect((yield* next(stream)).error.code).toBe(-32603)
      expect(yield* stream.event).toBe(undefined)
      yield* left
      expect(done).toEqual(["leave"])
    })
  )
})
