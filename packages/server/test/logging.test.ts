import { Call, Server, Tool } from "@effective-mcp/server"
import { JsonRpc, loggingLevels, Meta } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { eras, told } from "./both.ts"
import { info, initialize, modern, wire } from "./wire.ts"

const talkative = Tool.make("t", {
  run: Effect.fnUntraced(function* () {
    const { log } = yield* Call
    for (const level of loggingLevels) yield* log(level, { at: level }, "tests")
    return ""
  })
})
const server = Server.make(info, [talkative], { logging: true })
const at = (level: unknown) => modern({ name: "t" }, { [Meta.LOG_LEVEL]: level })
const levelsOf = (said: ReadonlyArray<JsonRpc.Message>) =>
  told(said, "notifications/message").map(({ params }) => params?.level)

describe("logs of a modern request", () => {
  it.effect("FEA-17 are not sent unless it asks for them", () =>
    Effect.gen(function* () {
      const { result, said } = yield* wire(server)
      yield* result("tools/call", modern({ name: "t" }))
      expect(told(said)).toEqual([])
    })
  )
  for (const [index, level] of loggingLevels.entries()) {
    it.effect(`FEA-17 are those at its level and above, on its own stream, before its response: ${level}`, () =>
      Effect.gen(function* () {
        const { result, said } = yield* wire(server)
        yield* result("tools/call", at(level))
        expect(levelsOf(said)).toEqual(loggingLevels.slice(index))
        expect(said.at(-1)).toHaveProperty("result")
        yield* result("tools/call", modern({ name: "t" }))
        expect(levelsOf(said)).toEqual(loggingLevels.slice(index))
      })
    )
  }
  for (const level of ["loud", "", "INFO", 1, null, {}, "constructor"]) {
    it.effect(`FEA-17 at a level that is none are -32602: ${JSON.stringify(level)}`, () =>
      Effect.gen(function* () {
        const { error, said } = yield* wire(server)
        expect(yield* error("tools/call", at(level))).toMatchObject({ code: -32602 })
        expect(told(said)).toEqual([])
      })
    )
  }
  it.effect("say what was logged, and by whom", () =>
    Effect.gen(function* () {
      const tool = Tool.make("t", {
        run: Effect.fnUntraced(function* () {
          const { log } = yield* Call
          yield* log("error", "plain")
          yield* log("error", undefined)
          yield* log("error", ["a", 1], "b")
          return ""
        })
      })
      const { result, said } = yield* wire(Server.make(info, [tool], { logging: true }))
      yield* result("tools/call", at("debug"))
      expect(told(said)).toEqual([
        JsonRpc.notification("notifications/message", { level: "error", data: "plain" }),
        JsonRpc.notification("notifications/message", { level: "error", data: null }),
        JsonRpc.notification("notifications/message", { level: "error", data: ["a", 1], logger: "b" })
      ])
    })
  )
  it.effect("have no method that sets a level for more than one request", () =>
    Effect.gen(function* () {
      const { error } = yield* wire(server)
      expect(yield* error("logging/setLevel", modern({ level: "info" }))).toMatchObject({ code: -32601 })
    })
  )
})

describe("logs of a legacy session", () => {
  it.effect("begin at info, and FEA-17 are what the client has set", () =>
    Effect.gen(function* () {
      const { result, said } = yield* wire(server)
      yield* result("initialize", initialize)
      yield* result("tools/call", { name: "t" })
      expect(levelsOf(said)).toEqual(loggingLevels.slice(1))
      expect(yield* result("logging/setLevel", { level: "warning" })).toEqual({})
      yield* result("tools/call", { name: "t" })
      expect(levelsOf(said).slice(7)).toEqual(loggingLevels.slice(3))
    })
  )
  it.effect("LIF-02 have a level that may be set before initialized", () =>
    Effect.gen(function* () {
      const { result, say } = yield* wire(server)
      yield* result("initialize", initialize)
      yield* result("logging/setLevel", { level: "error" })
      yield* say(JsonRpc.notification("notifications/initialized"))
      yield* result("ping")
    })
  )
  for (const level of ["loud", 1, null, undefined]) {
    it.effect(`FEA-17 keep their level when a client sets one that is none: ${JSON.stringify(level)}`, () =>
      Effect.gen(function* () {
        const { error, result, said } = yield* wire(server)
        yield* result("logging/setLevel", { level: "emergency" })
        expect(yield* error("logging/setLevel", { level })).toMatchObject({ code: -32602 })
        yield* result("tools/call", { name: "t" })
        expect(levelsOf(said)).toEqual(["emergency"])
      })
    )
  }
  it.effect("CON-02 are another session's in nothing, not even in their level", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* wire(server), yield* wire(server)]
      yield* one.result("logging/setLevel", { level: "emergency" })
      yield* two.result("tools/call", { name: "t" })
      expect(told(one.said)).toEqual([])
      expect(levelsOf(two.said)).toEqual(loggingLevels.slice(1))
    })
  )
  it.effect("are kept with the session", () =>
    Effect.gen(function* () {
      const conversation = yield* server.converse({ revision: "2025-11-25", logLevel: "alert" })
      expect(yield* conversation.snapshot).toMatchObject({ logLevel: "alert" })
      const broken = yield* server.converse({ revision: "2025-11-25", logLevel: "loud" })
      expect(yield* broken.snapshot).not.toHaveProperty("logLevel")
    })
  )
})

describe("a server that does not offer logging", () => {
  it.effect("says so, and sends no logs, whatever is asked and logged", () =>
    Effect.gen(function* () {
      const quiet = Server.make(info, [talkative])
      expect(quiet.capabilities).not.toHaveProperty("logging")
      expect(server.capabilities).toMatchObject({ logging: {} })
      const { error, result, said } = yield* wire(quiet)
      yield* result("tools/call", at("debug"))
      yield* result("tools/call", { name: "t" })
      expect(yield* error("logging/setLevel", { level: "debug" })).toMatchObject({ code: -32601 })
      expect(told(said)).toEqual([])
    })
  )
})

describe("what a handler logs through Effect", () => {
  const tool = Tool.make("t", {
    run: Effect.fnUntraced(function* () {
      yield* Effect.logDebug("low")
      yield* Effect.logInfo("one", "two")
      yield* Effect.logWarning({ a: 1 }, 2)
      yield* Effect.logError(new Error("three"))
      yield* Effect.logFatal("four").pipe(Effect.annotateLogs({ secret: "s3cr3t" }))
      return ""
    })
  })
  const log = (params: JsonRpc.JsonObject, options: Server.Options) =>
    Effect.gen(function* () {
      const { result, said } = yield* wire(Server.make(info, [tool], options))
      yield* result("tools/call", params)
      return told(said).map(({ params }) => [params?.level, params?.data])
    }).pipe(Effect.provideService(References.CurrentLoggers, new Set()))
  const all = [
    ["info", "one two"],
    ["warning", [{ a: 1 }, 2]],
    ["error", "three"],
    ["critical", "four"]
  ]
  for (const [era, params] of eras) {
    it.effect(
      `on ${era} reaches the caller where the server is told to send it, in order, without its surroundings`,
      () =>
        Effect.gen(function* () {
          const asked = era === "modern" ? at("debug") : params({ name: "t" })
          expect(yield* log(asked, { logging: { effect: true } })).toEqual(all)
          expect(yield* log(asked, { logging: true })).toEqual([])
          expect(yield* log(asked, { logging: { effect: false } })).toEqual([])
        })
    )
  }
  it.effect("is held against the level that is asked for, too", () =>
    Effect.gen(function* () {
      expect(yield* log(at("error"), { logging: { effect: true } })).toEqual(all.slice(2))
      expect(yield* log(modern({ name: "t" }), { logging: { effect: true } })).toEqual([])
    })
  )
})
