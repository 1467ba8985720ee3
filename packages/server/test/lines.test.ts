import { Server, Tool, ToolError } from "@effective-mcp/server"
import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { info, initialize, Log, modern, wire } from "./wire.ts"

const hello = Tool.make("hello", { run: () => Effect.succeed("Hello") })
const add = Tool.make("add", {
  input: { a: Schema.Finite, b: Schema.Finite },
  run: ({ a, b }) => Effect.succeed(`${a + b}`)
})

const ran: Array<string> = []
const mark = Tool.make("mark", {
  run: () =>
    Effect.sync(() => {
      ran.push("mark")
      return ""
    })
})
const server = Server.make(info, [hello, add, mark])

const messageOf = (id: JsonRpc.RequestId | undefined, code: number) => ({
  jsonrpc: "2.0",
  ...(id === undefined ? undefined : { id }),
  error: { code, message: expect.any(String) }
})

describe("lines typed by hand", () => {
  it.effect("S-03 ping, tools/list and tools/call are answered", () =>
    Effect.gen(function* () {
      const { answerTo, type } = yield* wire(server)
      yield* type('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
      expect(yield* answerTo(1)).toEqual(JsonRpc.success(1, {}))
      yield* type('{"jsonrpc":"2.0","id":"two","method":"tools/list"}\n')
      expect(yield* answerTo("two")).toMatchObject({ result: { tools: [{ name: "hello" }, { name: "add" }, {}] } })
      yield* type('{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}\n')
      expect(yield* answerTo(3)).toEqual(JsonRpc.success(3, { content: [{ type: "text", text: "3" }] }))
    })
  )
  it.effect("S-03 with spaces, CR LF, blank lines, in pieces or without a last newline are answered too", () =>
    Effect.gen(function* () {
      const { answerTo, type } = yield* wire(server)
      yield* type('\n  \r\n { "jsonrpc" : "2.0", "id": 1,')
      yield* type('"method":"ping" }\r\n\n')
      expect(yield* answerTo(1)).toEqual(JsonRpc.success(1, {}))
    })
  )
})

describe("a line that is no message", () => {
  it.effect("RPC-16 is answered with what is wrong, under its id where that can be read, and reading goes on", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const { said, type, until } = yield* wire(server)
      yield* type(
        [
          "{oops",
          '{"jsonrpc":"2.0","id":4}',
          '{"jsonrpc":"1.0","id":5,"method":"ping"}',
          '{"id":6,"method":"ping"}',
          '{"jsonrpc":"2.0","id":7,"method":"ping"}',
          ""
        ].join("\n")
      )
      yield* until(() => said.length === 5)
      expect(said).toContainEqual(JsonRpc.success(7, {}))
      expect(said.filter((message) => "error" in message)).toEqual([
        messageOf(undefined, -32700),
        messageOf(4, -32600),
        messageOf(5, -32600),
        messageOf(6, -32600)
      ])
    }).pipe(Effect.provide(log.layer))
  })
  it.effect("RPC-16 that is no text, or no object, or a batch is answered without an id", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const { said, type, until } = yield* wire(server)
      yield* type('5\n"x"\nnull\n[]\n[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mark"}}]\n')
      yield* until(() => said.length === 5)
      expect(said).toEqual(Array.from({ length: 5 }, () => messageOf(undefined, -32600)))
      expect(ran).toEqual([])
    }).pipe(Effect.provide(log.layer))
  })
  it.effect("RPC-06 a notification with an id is -32600 under that id, never a result", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const { answerTo, type } = yield* wire(server)
      yield* type('{"jsonrpc":"2.0","id":5,"method":"notifications/initialized"}\n')
      expect(yield* answerTo(5)).toEqual(messageOf(5, -32600))
    }).pipe(Effect.provide(log.layer))
  })
  it.effect("RPC-06 a request without an id gets no response, runs nothing and begins no session", () =>
    Effect.gen(function* () {
      const { result, said, say } = yield* wire(server)
      yield* say(
        JsonRpc.notification("initialize", { ...initialize, clientInfo: { name: "nobody", version: "1" } }),
        JsonRpc.notification("tools/call", { name: "mark" }),
        JsonRpc.notification("tools/call", modern({ name: "mark" })),
        JsonRpc.notification("ping")
      )
      yield* result("ping")
      expect(said.length).toBe(1)
      expect(ran).toEqual([])
    })
  )
  for (const id of ["null", "1.5", "9007199254740993", "true", "{}", "[1]"]) {
    it.effect(`a request with the id ${id} is -32600, and the id is not repeated`, () => {
      const log = new Log()
      return Effect.gen(function* () {
        const { result, said, type, until } = yield* wire(server)
        yield* type(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`)
        yield* until(() => said.length === 1)
        expect(yield* result("ping")).toEqual({})
        expect(said[0]).toEqual(messageOf(undefined, -32600))
      }).pipe(Effect.provide(log.layer))
    })
  }
  it.effect("ids 0 and the empty text are ids like any other, and 1 is not the text 1", () =>
    Effect.gen(function* () {
      const { answerTo, say } = yield* wire(server)
      yield* say(...[0, "", 1, "1"].map((id) => JsonRpc.request(id, "ping")))
      for (const id of [0, "", 1, "1"]) expect(yield* answerTo(id)).toEqual(JsonRpc.success(id, {}))
    })
  )
})

describe("parameters", () => {
  const call = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}\n`
  const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<number>]> = [
    ["none at all", '{"jsonrpc":"2.0","id":1,"method":"tools/call"}\n', [-32602]],
    ["null", call("null"), [-32602]],
    ["a list", call("[1]"), [-32600, -32602]],
    ["a text", call('"hello"'), [-32600, -32602]],
    ["no name", call("{}"), [-32602]],
    ["a name that is null", call('{"name":null}'), [-32602]],
    ["arguments that are null", call('{"name":"hello","arguments":null}'), [-32602]],
    ["arguments that are a list", call('{"name":"hello","arguments":[]}'), [-32602]],
    ["a cursor that is a number", '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":1}}\n', [-32602]]
  ]
  for (const [what, line, codes] of cases) {
    it.effect(`RPC-08 ${what}: an error with the id, and a ping afterwards is answered`, () => {
      const log = new Log()
      return Effect.gen(function* () {
        const { answerTo, result, type } = yield* wire(server)
        yield* type(line)
        const answer = yield* answerTo(1)
        expect(answer).toMatchObject({ id: 1, error: { code: expect.any(Number) } })
        expect(codes).toContain("error" in answer ? answer.error.code : undefined)
        expect(yield* result("ping")).toEqual({})
      }).pipe(Effect.provide(log.layer))
    })
  }
  it.effect("RPC-08 a tool without arguments runs with none", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      const expected = { content: [{ type: "text", text: "Hello" }] }
      expect(yield* result("tools/call", { name: "hello" })).toEqual(expected)
      expect(yield* result("tools/call", { name: "hello", arguments: {} })).toEqual(expected)
    })
  )
  it.effect("RPC-08 notifications/initialized without parameters is taken", () =>
    Effect.gen(function* () {
      const { result, said, type } = yield* wire(server)
      yield* result("initialize", initialize)
      yield* type('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
      yield* result("ping")
      expect(said.length).toBe(2)
    })
  )
})

describe("names that a program might trip over", () => {
  const names = [
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "prototype",
    "then",
    "tools/__proto__"
  ]
  for (const name of names) {
    it.effect(`as a method are not found: ${name}`, () =>
      Effect.gen(function* () {
        const { error } = yield* wire(server)
        expect(yield* error(name)).toMatchObject({ code: -32601 })
        expect(yield* error(name, modern())).toMatchObject({ code: -32601 })
      })
    )
    it.effect(`as a tool nobody made are unknown: ${name}`, () =>
      Effect.gen(function* () {
        const { error } = yield* wire(server)
        expect(yield* error("tools/call", { name })).toMatchObject({ code: -32602 })
        expect(yield* error("tools/call", modern({ name }))).toMatchObject({ code: -32602 })
      })
    )
    it.effect(`as a tool somebody made are called: ${name}`, () =>
      Effect.gen(function* () {
        const { result } = yield* wire(Server.make(info, [hello, Tool.make(name, { run: () => Effect.succeed(name) })]))
        expect(yield* result("tools/call", { name })).toEqual({ content: [{ type: "text", text: name }] })
        expect(yield* result("tools/list")).toMatchObject({ tools: [{ name: "hello" }, { name }] })
      })
    )
  }
  it.effect("as an argument change nothing that they should not", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const tool = Tool.make("t", {
        input: { a: Schema.optionalKey(Schema.Unknown) },
        run: (args) => Effect.sync(() => String(seen.push(args)))
      })
      const { answerTo, type } = yield* wire(Server.make(info, [tool]))
      const args = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
      yield* type(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":${args}}}\n`)
      yield* answerTo(1)
      expect("polluted" in {}).toBe(false)
      for (const value of seen) expect(Object(value).polluted).toBeUndefined()
    })
  )
})

describe("errors of a tool", () => {
  it.effect("leave the pipe as it was", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const fails = Tool.make("fails", { run: () => Effect.fail(new ToolError({ message: "no" })) })
      const dies = Tool.make("dies", { run: () => Effect.die("x") })
      const { result } = yield* wire(Server.make(info, [fails, dies]))
      for (const name of ["fails", "dies"]) {
        expect(yield* result("tools/call", { name })).toMatchObject({ isError: true })
        expect(yield* result("ping")).toEqual({})
      }
    }).pipe(Effect.provide(log.layer))
  })
})
