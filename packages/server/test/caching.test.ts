import { Prompt, Resource, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { info, modern, wire } from "./wire.ts"

const said = Effect.succeed("")
const features = [
  Tool.make("t", { run: () => said }),
  Prompt.make("p", { run: () => said }),
  Resource.make("a://b", { read: said })
]
const cacheable = [
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read"
] as const
const params = { uri: "a://b" }

describe("hints for caching", () => {
  for (const method of cacheable) {
    it.effect(`are in every result of ${method}: stale and private by default`, () =>
      Effect.gen(function* () {
        const { result } = yield* wire(Server.make(info, features))
        expect(yield* result(method, modern(params))).toMatchObject({ ttlMs: 0, cacheScope: "private" })
      })
    )
    it.effect(`of ${method} are those of the server, or its own`, () =>
      Effect.gen(function* () {
        const cache = { ttlMs: 1_000, cacheScope: "public", [method]: { ttlMs: 5 } } as const
        const { result } = yield* wire(Server.make(info, features, { cache }))
        for (const other of cacheable) {
          const ttlMs = other === method ? 5 : 1_000
          expect(yield* result(other, modern(params))).toMatchObject({ ttlMs, cacheScope: "public" })
        }
      })
    )
  }
  it.effect("are the same on every page, and on no other result", () =>
    Effect.gen(function* () {
      const tools = ["a", "b", "c"].map((name) => Tool.make(name, { run: () => said }))
      const cache = { "tools/list": { ttlMs: 7, cacheScope: "public" } } as const
      const { result } = yield* wire(Server.make(info, tools, { pageSize: 1, cache }))
      let cursor: unknown
      for (let page = 0; page < 3; page++) {
        const list = yield* result("tools/list", modern(cursor === undefined ? {} : { cursor }))
        expect(list).toMatchObject({ ttlMs: 7, cacheScope: "public" })
        cursor = list.nextCursor
      }
      expect(yield* result("tools/call", modern({ name: "a" }))).not.toHaveProperty("ttlMs")
    })
  )
  it.effect("are in no legacy result", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(Server.make(info, features, { cache: { ttlMs: 5, cacheScope: "public" } }))
      for (const method of cacheable.slice(1)) {
        const got = yield* result(method, params)
        expect(got).not.toHaveProperty("ttlMs")
        expect(got).not.toHaveProperty("cacheScope")
      }
    })
  )
  for (const ttlMs of [-1, 1.5, Number.NaN, Infinity]) {
    it(`are refused when they are none: ${ttlMs} ms`, () => {
      expect(() => Server.make(info, features, { cache: { ttlMs } })).toThrow(/ttlMs/)
      expect(() => Server.make(info, features, { cache: { "tools/list": { ttlMs } } })).toThrow(/tools\/list/)
    })
  }
})
