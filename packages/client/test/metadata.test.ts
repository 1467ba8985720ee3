import { RpcError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Cache from "../src/Cache.ts"
import { layer } from "../src/Metadata.ts"
import { type Middleware, layer as middlewareLayer } from "../src/Middleware.ts"
import * as Context from "effect/Context"
import { TransportError } from "@effective-mcp/protocol"
import { retryLayer, session } from "./layers.ts"

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
