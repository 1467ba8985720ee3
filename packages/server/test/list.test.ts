import { Client, Tools } from "@effective-mcp/client"
import { Peer } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { pair } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as z from "zod"
import { clientInfo, info, Log, modern, wire } from "./wire.ts"

const make = (name: string) => Tool.make(name, { run: () => Effect.succeed(name) })
const names = (count: number) => Array.from({ length: count }, (_, i) => `tool ${i}`)
const serverOf = (count: number, options?: Server.Options) => Server.make(info, names(count).map(make), options)

describe("tools/list", () => {
  it.effect("is one page up to 1,000 tools, in the order they were given, every time", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(serverOf(1000))
      const first = yield* result("tools/list")
      expect(first).not.toHaveProperty("nextCursor")
      expect(first.tools).toMatchObject(names(1000).map((name) => ({ name })))
      expect(yield* result("tools/list")).toEqual(first)
      expect((yield* result("tools/list", modern())).tools).toEqual(first.tools)
    })
  )
  it.effect("is cut into pages beyond that", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(serverOf(1001))
      const first = yield* result("tools/list")
      expect(first.tools).toHaveLength(1000)
      const { nextCursor } = first
      expect(nextCursor).toEqual(expect.any(String))
      const second = yield* result("tools/list", { cursor: nextCursor })
      expect(second).toMatchObject({ tools: [{ name: "tool 1000" }] })
      expect(second).not.toHaveProperty("nextCursor")
    })
  )
  for (const [count, pageSize, sizes] of [
    [5, 2, [2, 2, 1]],
    [4, 2, [2, 2]],
    [2, 2, [2]],
    [1, 2, [1]],
    [3, 1, [1, 1, 1]]
  ] as const) {
    it.effect(`gives ${count} tools in pages of ${pageSize}: each once, none left out`, () =>
      Effect.gen(function* () {
        const { result } = yield* wire(serverOf(count, { pageSize }))
        const found: Array<number> = []
        const seen: Array<unknown> = []
        let params = {}
        for (;;) {
          const { nextCursor, tools } = yield* result("tools/list", modern(params))
          const page = tools as ReadonlyArray<{ readonly name: string }> // cast: a list of tools is what was asked for
          found.push(page.length)
          seen.push(...page.map(({ name }) => name))
          if (nextCursor === undefined) break
          params = { cursor: nextCursor }
        }
        expect(found).toEqual(sizes)
        expect(seen).toEqual(names(count))
      })
    )
  }
  it.effect("gives the same page for the same cursor, on another connection too", () =>
    Effect.gen(function* () {
      const server = serverOf(5, { pageSize: 2 })
      const [one, two] = [yield* wire(server), yield* wire(server)]
      const { nextCursor: cursor } = yield* one.result("tools/list")
      expect(yield* two.result("tools/list", { cursor })).toEqual(yield* one.result("tools/list", { cursor }))
    })
  )
  it.effect("rejects a cursor that it did not give out", () =>
    Effect.gen(function* () {
      const { error, result } = yield* wire(serverOf(5, { pageSize: 2 }))
      for (const cursor of ["", "nope", "tool 1", "__proto__", "0", "2"]) {
        expect(yield* error("tools/list", { cursor })).toMatchObject({ code: -32602 })
        expect(yield* error("tools/list", modern({ cursor }))).toMatchObject({ code: -32602 })
      }
      yield* result("tools/list")
    })
  )
  it.effect("takes any name as the end of a page", () =>
    Effect.gen(function* () {
      const odd = ["é", "\u{1f600}", "a b", "\ud800", "\udfff", ""]
      const { result } = yield* wire(Server.make(info, odd.map(make), { pageSize: 1 }))
      let count = 0
      let params = {}
      for (; count <= odd.length; count++) {
        const { nextCursor } = yield* result("tools/list", params)
        if (nextCursor === undefined) break
        params = { cursor: nextCursor }
      }
      expect(count).toBe(odd.length - 1)
    })
  )
  it.effect("is followed by our own client to its end", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair()
      yield* Effect.forkScoped(Peer.host(far, serverOf(25, { pageSize: 10 })))
      const client = yield* Client.connect(Peer.make(near), clientInfo)
      const all = yield* Stream.runCollect(Tools.all(client))
      expect(all.map(({ name }) => name)).toEqual(names(25))
    })
  )
})

describe("a mistake of the author", () => {
  it("two tools of one name are found when the server is made", () => {
    expect(() => Server.make(info, [make("a"), make("b"), make("a")])).toThrow(/same name: "a"/)
  })
  for (const pageSize of [0, -1, 1.5, Number.NaN]) {
    it(`so is a page of ${pageSize} tools`, () => {
      expect(() => serverOf(3, { pageSize })).toThrow(/pageSize/)
    })
  }
})

describe("a tool that cannot be described", () => {
  it.effect("hides no other: it is left out, and the log names it", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const good = Tool.make("good", { run: () => Effect.succeed("") })
      const bad = Tool.make("bad", { input: z.object({ when: z.date() }), run: () => Effect.succeed("") })
      const list = Tool.make("list", { input: Schema.Array(Schema.String), run: () => Effect.succeed("") })
      const { result } = yield* wire(Server.make(info, [bad, list, good]))
      expect(yield* result("tools/list")).toMatchObject({ tools: [{ name: "good" }] })
      expect(log.lines.join()).toContain("bad")
      expect(log.lines.join()).toContain("list")
    }).pipe(Effect.provide(log.layer))
  })
  it.effect("of a name that clients may refuse is listed, with one warning", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const { result } = yield* wire(Server.make(info, [Tool.make("my tool!", { run: () => Effect.succeed("") })]))
      yield* result("tools/list")
      expect(yield* result("tools/list")).toMatchObject({ tools: [{ name: "my tool!" }] })
      expect(log.lines.filter((line) => line.includes("my tool!"))).toHaveLength(1)
    }).pipe(Effect.provide(log.layer))
  })
})
