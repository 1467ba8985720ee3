import { Call, Extension, RpcError, Server, Tool } from "@effective-mcp/server"
import { Meta } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eras, plain } from "./both.ts"
import { info, initialize, Log, modern, wire } from "./wire.ts"

const id = "com.example/weather"
const weather = Extension.make(id, {
  settings: { units: ["celsius"] },
  methods: {
    "weather/now": Extension.method({
      params: { city: Schema.String, days: Schema.optionalKey(Schema.Int) },
      run: ({ city, days = 1 }) => Effect.succeed({ city, days: days + 1 })
    }),
    "weather/raw": (params) => Effect.succeed({ params, resultType: "forecast", _meta: { k: 1 } }),
    "weather/call": () => Effect.map(Call, ({ request }) => ({ method: request.method })),
    "weather/refused": () => Effect.fail(new RpcError({ code: 7, message: "No weather", data: { today: true } }))
  }
})
const tool = Tool.make("t", { run: () => Effect.succeed("") })
const server = Server.make(info, [weather, tool])

describe("an extension", () => {
  it.effect("R-163 is named among the capabilities, with its settings, where a revision has them", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      const extensions = { [id]: { units: ["celsius"] } }
      expect(yield* result("server/discover", modern())).toMatchObject({ capabilities: { extensions, tools: {} } })
      expect(yield* result("initialize", initialize)).toMatchObject({ capabilities: { extensions } })
      const older = yield* result("initialize", { ...initialize, protocolVersion: "2025-06-18" })
      expect(older.capabilities).toEqual({ tools: {} })
    })
  )
  for (const [era, params] of eras) {
    it.effect(`has methods of its own on ${era}, whose params are checked where they are described`, () =>
      Effect.gen(function* () {
        const { error, result } = yield* wire(server)
        expect(plain(yield* result("weather/now", params({ city: "Oslo", days: 2 })))).toEqual({
          city: "Oslo",
          days: 3
        })
        for (const wrong of [{}, { city: 1 }, { city: "Oslo", days: 1.5 }]) {
          expect(yield* error("weather/now", params(wrong))).toMatchObject({ code: -32602 })
        }
        expect(plain(yield* result("weather/call", params()))).toEqual({ method: "weather/call" })
        expect(yield* error("weather/refused", params())).toEqual({
          code: 7,
          message: "No weather",
          data: { today: true }
        })
        for (const unknown of ["weather/later", "weather", "toString", "__proto__"])
          expect(yield* error(unknown, params())).toMatchObject({ code: -32601 })
      })
    )
  }
  it.effect("has result types of its own, where results have a type", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      expect(yield* result("weather/raw", modern({ a: 1 }))).toEqual({
        resultType: "forecast",
        params: { a: 1 },
        _meta: { k: 1, [Meta.SERVER_INFO]: info }
      })
      expect(yield* result("weather/raw", { a: 1 })).toEqual({ params: { a: 1 }, _meta: { k: 1 } })
      expect(yield* result("weather/now", modern({ city: "" }))).toMatchObject({ resultType: "complete" })
    })
  )
  it.effect("S-44 that fails says nothing of why", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const failing = Extension.make("com.example/x", {
        methods: {
          "x/dies": () => Effect.die("s3cr3t"),
          "x/fails": () => Effect.fail("s3cr3t"),
          "x/nothing": () => Effect.succeed(undefined as never)
        }
      })
      const { error } = yield* wire(Server.make(info, [failing]))
      for (const method of ["x/dies", "x/fails", "x/nothing"])
        expect(yield* error(method, modern())).toEqual({ code: -32603, message: "Internal error" })
      expect(log.lines).toHaveLength(3)
    }).pipe(Effect.provide(log.layer))
  })
  it.effect("may ask that a client declares it, too", () =>
    Effect.gen(function* () {
      const strict = Extension.make(id, { isRequired: true, methods: { "weather/now": () => Effect.succeed({}) } })
      const { error, result } = yield* wire(Server.make(info, [strict]))
      const declaring = (extensions: unknown) => modern({}, { [Meta.CLIENT_CAPABILITIES]: { extensions } })
      for (const params of [modern(), declaring({}), declaring({ other: {} }), declaring(null)]) {
        expect(yield* error("weather/now", params)).toMatchObject({
          code: -32021,
          data: { requiredCapabilities: { extensions: { [id]: {} } } }
        })
      }
      yield* result("weather/now", declaring({ [id]: {} }))
    })
  )
})

describe("a mistake of the author", () => {
  for (const wrong of ["weather", "com.example", "/x", "com.example/", "com/x", "com.example/a b"]) {
    it(`R-163 is an id of another form: ${JSON.stringify(wrong)}`, () => {
      expect(() => Extension.make(wrong)).toThrow(/id/)
    })
  }
  for (const name of [
    "tools/call",
    "initialize",
    "ping",
    "server/discover",
    "tasks/get",
    "notifications/x",
    "rpc.x",
    ""
  ]) {
    it(`is a method that is not an extension's to have: ${JSON.stringify(name)}`, () => {
      expect(() => Extension.make(id, { methods: { [name]: () => Effect.succeed({}) } })).toThrow(/method/)
    })
  }
  it("R-163 is settings that are no object", () => {
    for (const settings of [null, [], "celsius", 1]) {
      expect(() => Extension.make(id, JSON.parse(JSON.stringify({ settings })))).toThrow(/settings/)
    }
  })
  it("is the same id or method twice", () => {
    expect(() => Server.make(info, [weather, Extension.make(id)])).toThrow(/same id/)
    const other = Extension.make("com.example/other", { methods: { "weather/now": () => Effect.succeed({}) } })
    expect(() => Server.make(info, [weather, other])).toThrow(/same name: "weather\/now"/)
  })
})
