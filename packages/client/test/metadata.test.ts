import { type Client, Tools } from "@effective-mcp/client"
import { Meta, RpcError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Cache from "../src/Cache.ts"
import { layer } from "../src/Metadata.ts"
import { type Middleware, layer as middlewareLayer } from "../src/Middleware.ts"
import * as Context from "effect/Context"
import { TransportError } from "@effective-mcp/protocol"
import type { RequestOptions } from "../src/Session.ts"
import { retryLayer, session } from "./layers.ts"
import { connect, discovered, initialized, legacy, modern, result, scripted } from "./scripted.ts"

const list = { tools: [], ttlMs: 1_000, cacheScope: "public" }

describe("what a program says with every request", () => {
  it.effect("R-140 is joined with what the request brings, which wins", () =>
    Effect.gen(function* () {
      const { send, sent } = session(() => Effect.succeed(list))
      const asking = layer({ a: 1, b: 1 })(send)
      yield* asking("tools/list", {}, { meta: { b: 2, c: 2 } })
      yield* asking("tools/list", {})
      expect(sent.map(({ options }) => options?.meta)).toEqual([
        { a: 1, b: 2, c: 2 },
        { a: 1, b: 1 }
      ])
    })
  )
  it.effect("R-146 is found out once for an operation, however often that is sent", () =>
    Effect.gen(function* () {
      let asked = 0
      const metadata = Effect.sync(() => ({ tenant: `${++asked}` }))
      const down = Effect.fail(TransportError.make({ _tag: "HttpStatus", status: 500 }))
      const { send, sent } = session((_, count) => (count === 1 ? down : Effect.succeed(list)))
      const cache = Cache.make({ hears: () => false, context: Effect.succeed("") })
      const asking = layer(metadata)(cache.layer(retryLayer({ delay: 0 })(send)))
      yield* asking("tools/list", {})
      expect(sent.map(({ options }) => options?.meta)).toEqual([{ tenant: "1" }, { tenant: "1" }])
      // the second operation asks anew, and what was kept belongs to the first
      yield* asking("tools/list", {})
      expect(sent).toHaveLength(3)
      expect(sent[2]?.options?.meta).toEqual({ tenant: "2" })
    })
  )
})

describe("what a request says of itself on the wire", () => {
  const hints = { resultType: "complete", ttlMs: 0, cacheScope: "private" }
  const answers = {
    "tools/list": result({ ...hints, tools: [] }),
    "tools/call": result({ resultType: "complete", content: [] }),
    "prompts/get": result({ resultType: "complete", messages: [] }),
    "resources/read": result({ ...hints, contents: [] }),
    "completion/complete": result({ resultType: "complete", completion: { values: [] } })
  }
  const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} }
  const eras = {
    modern: modern({ ...answers, "server/discover": discovered({ capabilities }) }),
    legacy: legacy({ ...answers, initialize: initialized({ capabilities }) })
  }
  /** What a program without types may write among the parameters: `meta` of the options is what counts. */
  const strays = { _meta: { stray: 1, progressToken: "mine" } }
  const asked: ReadonlyArray<(session: Client.Client, options: RequestOptions) => Effect.Effect<unknown, unknown>> = [
    (session, options) => session.request("tools/list", strays as {}, options),
    (session, options) => session.request("tools/call", { name: "t", ...strays }, options),
    (session, options) => session.request("prompts/get", { name: "p", ...strays }, options),
    (session, options) => session.request("resources/read", { uri: "a:b", ...strays }, options),
    (session, options) => {
      const params = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "v" } } as const
      return session.request("completion/complete", { ...params, ...strays }, options)
    }
  ]
  for (const [era, script] of Object.entries(eras)) {
    it.effect(`R-141 is one _meta, which is that of the options, wherever a program writes another: ${era}`, () =>
      Effect.gen(function* () {
        const server = scripted(script)
        const client = yield* connect(server, { meta: { common: 1, own: 1 }, cache: false })
        for (const ask of asked) {
          for (const meta of [{ own: 2 }, undefined]) {
            yield* ask(client, { meta })
            const { id, method, params = {} } = server.run.last
            expect([method, Object.keys(params).filter((name) => /meta/i.test(name))]).toEqual([method, ["_meta"]])
            expect(Meta.of(params)).toMatchObject({ common: 1, own: meta?.own ?? 1, progressToken: id })
            expect(Meta.of(params)).not.toHaveProperty("stray")
          }
        }
      })
    )
    it.effect(`R-141 is no matter of a tool's own arguments, which may be called so: ${era}`, () =>
      Effect.gen(function* () {
        const server = scripted(script)
        const client = yield* connect(server)
        const args = { _meta: { a: 1 }, meta: { b: 2 } }
        yield* Tools.call(client, "t", args, { meta: { own: 1 } })
        const { params = {} } = server.run.last
        expect(params.arguments).toEqual(args)
        expect(Meta.of(params)).toMatchObject({ own: 1 })
        expect(Meta.of(params)).not.toHaveProperty("a")
      })
    )
  }
})

describe("middleware of a client", () => {
  const tracing =
    (name: string, log: Array<string>): Middleware =>
    ({ method }, next) =>
      Effect.ensuring(
        Effect.andThen(
          Effect.sync(() => log.push(`${name} ${method}`)),
          next
        ),
        Effect.sync(() => log.push(`/${name}`))
      )

  it.effect("runs around each operation, the first outermost", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const { send } = session(() => Effect.sync(() => (log.push("sent"), list)))
      yield* middlewareLayer([tracing("a", log), tracing("b", log)], Context.empty())(send)("tools/list", {})
      expect(log).toEqual(["a tools/list", "b tools/list", "sent", "/b", "/a"])
    })
  )
  it.effect("may fail instead, so that nothing is sent", () =>
    Effect.gen(function* () {
      const { send, sent } = session(() => Effect.succeed(list))
      const no: Middleware = () => Effect.fail(new RpcError({ code: 1, message: "not now" }))
      const error = yield* Effect.flip(middlewareLayer([no], Context.empty())(send)("tools/list", {}))
      expect(error).toMatchObject({ _tag: "RpcError", code: 1 })
      expect(sent).toEqual([])
    })
  )
  it.effect("has the services that it needs, and sees what the request brings", () =>
    Effect.gen(function* () {
      class Tenant extends Context.Service<Tenant, string>()("Tenant") {}
      const seen: Array<unknown> = []
      const middleware: Middleware<Tenant> = ({ options, params }, next) =>
        Effect.flatMap(Tenant, (tenant) => {
          seen.push(tenant, params, options)
          return next
        })
      const { send } = session(() => Effect.succeed(list))
      const context = Context.make(Tenant, "acme")
      yield* middlewareLayer([middleware], context)(send)("tools/list", { cursor: "c" }, { meta: { a: 1 } })
      expect(seen).toEqual(["acme", { cursor: "c" }, { meta: { a: 1 } }])
    })
  )
})
