import { Tools } from "@effective-mcp/client"
import { serve } from "@effective-mcp/transport-http/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { connect } from "../src/connect.ts"
import { isServers } from "../src/Servers.ts"
import { entry } from "./support/programs.ts"
import { failure, named, toolsOf } from "./support/targets.ts"
import { listening } from "./support/web.ts"

const missing = { command: "no-such-program-xyz" }

/** Two servers over HTTP, and their addresses. */
const two = Effect.all([serve(named("a")), serve(named("b"))]).pipe(
  Effect.map((served) => served.map(({ url }) => ({ url: String(url) })) as [{ url: string }, { url: string }]) // cast: two
)

describe("the servers of a configuration", () => {
  it.live("are one client, each under its key", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const [a, b] = yield* two
        const client = yield* connect({
          mcpServers: { "First One": a, second_one: b, none: { ...missing, disabled: true } }
        })
        expect(yield* toolsOf(client)).toEqual(["First-One_a", "second-one_b"])
        expect(Tools.text(yield* Tools.call(client, "second-one_b"))).toBe("b")
        expect(client.servers.map(({ key, name }) => [name, key])).toEqual([
          ["First One", "First-One"],
          ["second_one", "second-one"]
        ])
        expect(client.failures).toEqual([])
        expect(isServers(client)).toBe(true)
        expect(client.capabilities.tools).toBeDefined()
        expect(client.server).toBeUndefined()
        yield* client.ping()
        yield* client.close
        expect([client.connected, ...client.servers.map((one) => one.client.connected)]).toEqual([false, false, false])
        yield* client.connect
        yield* client.reconnect
        expect(yield* toolsOf(client)).toHaveLength(2)
        expect(Tools.text(yield* Tools.call(client.session, "First-One_a"))).toBe("a")
        yield* client.cache.invalidate()
        expect(yield* client.cache.info("tools/list")).toBeUndefined()
      })
    )
  )
  it.live("keep their keys when there is one alone, unless it is asked for by name", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const [a, b] = yield* two
        expect(yield* toolsOf(yield* connect({ servers: { one: a } }))).toEqual(["one_a"])
        const only = yield* connect({ mcpServers: { one: a, two: b, three: missing } }, { server: "two" })
        expect(yield* toolsOf(only)).toEqual(["b"])
        expect(only.server?.name).toBe("b")
        expect(only.servers.map(({ name }) => name)).toEqual(["two"])
      })
    )
  )
  it.live("fail together when one fails, and all that failed are named with why and what to do", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const [a] = yield* two
        const gone = entry("odd", "exits", "", "Error: s3cr3t-value is no key")
        const error = yield* failure(
          connect(
            {
              mcpServers: {
                a,
                missing,
                gone: { ...gone, env: { K: "${K}" } },
                unset: { ...a, headers: { H: "${NOPE_X}" } }
              }
            },
            { variables: { K: "s3cr3t-value" } }
          )
        )
        expect(error.reason).toMatchObject({
          _tag: "ServersFailed",
          of: 4,
          failures: [
            { name: "missing", error: { reason: { _tag: "Unreachable" } } },
            { name: "gone", error: { reason: { _tag: "Exited", code: 3 } } },
            {
              name: "unset",
              error: { reason: { _tag: "Unset", variable: "NOPE_X", at: "mcpServers.unset.headers.H" } }
            }
          ]
        })
        for (const part of ["missing: ", "gone: ", "unset: ", "PATH", "NOPE_X", "partial: true"]) {
          expect(error.message).toContain(part)
        }
        expect(error.message).not.toContain("s3cr3t")
      })
    )
  )
  it.live("that work are there with partial, and the others are told of", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const [a] = yield* two
        const client = yield* connect({ mcpServers: { missing, a } }, { partial: true })
        expect(yield* toolsOf(client)).toEqual(["a_a"])
        expect(client.failures.map(({ name }) => name)).toEqual(["missing"])
        const none = yield* failure(connect({ mcpServers: { missing } }, { partial: true }))
        expect(none.reason).toMatchObject({ _tag: "ServersFailed", of: 1 })
      })
    )
  )
  it.live("share the time: one that says nothing is told of when it is up", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const [a] = yield* two
        const origin = yield* listening(() => {})
        const servers = { slow1: { url: origin }, slow2: { url: origin }, a }
        const client = yield* connect({ mcpServers: servers }, { partial: true, totalTimeout: 500, concurrency: 3 })
        for (const { error } of client.failures) {
          if (error.reason._tag !== "Silent") return expect.fail(error.message)
          expect(error.reason.afterMs).toBeLessThanOrEqual(500)
        }
        expect(client.failures).toHaveLength(2)
        return expect(yield* toolsOf(client)).toEqual(["a_a"])
      })
    )
  )
  it.live("are connected to some at a time", () =>
    Effect.scoped(
      Effect.gen(function* () {
        let [now, most] = [0, 0]
        const { url } = yield* serve(named("a"))
        const servers = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`s${n}`, { url: String(url) }]))
        const client = yield* connect(
          { mcpServers: servers },
          {
            interceptors: [
              (request, next) => {
                most = Math.max(most, ++now)
                return Effect.ensuring(
                  Effect.andThen(Effect.yieldNow, next(request)),
                  Effect.sync(() => now--)
                )
              }
            ]
          }
        )
        expect(client.servers).toHaveLength(40)
        expect(most).toBeLessThanOrEqual(8)
        expect(most).toBeGreaterThan(1)
      })
    )
  )
  it.live("have headers and options of their own, and never each other's", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const [a, b] = yield* two
        const seen = new Map<string, string | undefined>()
        const client = yield* connect(
          { mcpServers: { a: { ...a, headers: { authorization: "Bearer a" } }, b, c: { ...b, timeout: 5_000 } } },
          {
            servers: { b: { apiKey: "of-b", era: "legacy" } },
            interceptors: [
              (request, next) => {
                if (!request.url.startsWith(b.url)) seen.set("a", request.headers.authorization)
                else if (request.headers["mcp-method"] === undefined) seen.set("b", request.headers.authorization)
                else seen.set("c", request.headers.authorization)
                return next(request)
              }
            ]
          }
        )
        expect(client.servers.map((one) => one.client.era)).toEqual(["modern", "legacy", "modern"])
        expect(Object.fromEntries(seen)).toEqual({ a: "Bearer a", b: "Bearer of-b", c: undefined })
        for (const shared of [{ apiKey: "k" }, { headers: { k: "v" } }]) {
          const error = yield* failure(connect({ mcpServers: { a, b } }, shared))
          expect(error.message).toMatch(/share no headers/)
          expect(error.fix).toMatch(/Give them in servers, by name/)
        }
        const stranger = yield* failure(connect({ mcpServers: { a, b } }, { servers: { toString: {} } }))
        expect(stranger.message).toMatch(/servers.toString is no server/)
        expect(stranger.fix).toBe("Name one that is there: a, b.")
        const misspelt = yield* failure(connect({ mcpServers: { a, b } }, { server: "aa" }))
        expect(misspelt.message).toMatch(/mcpServers has no server aa/)
        expect(misspelt.fix).toBe("Name one that is there: a, b.")
      })
    )
  )
  it.live("are bounded in number before any of them is reached", () =>
    Effect.gen(function* () {
      const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`s${n}`, missing]))
      const error = yield* failure(Effect.scoped(connect({ mcpServers: many })))
      expect(error).toMatchObject({ reason: { _tag: "BadConfig", at: "mcpServers" }, steps: [] })
    })
  )
  it.live("that all fail make no endless message", () =>
    Effect.gen(function* () {
      const many = Object.fromEntries(Array.from({ length: 256 }, (_, n) => [`s${n}`, { command: "${NOPE_X}" }]))
      const error = yield* failure(Effect.scoped(connect({ mcpServers: many })))
      expect(error.reason).toMatchObject({ _tag: "ServersFailed", of: 256 })
      expect(error.message.length).toBeLessThan(8_000)
    })
  )
})
