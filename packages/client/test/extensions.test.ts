import { Client, Extension, type Middleware, NotOffered } from "@effective-mcp/client"
import { type JsonRpc, legacyRevisions, modernRevisions, Peer, Violation } from "@effective-mcp/protocol"
import { Call, Extension as Served, RpcError, Server } from "@effective-mcp/server"
import { connect as overHttp } from "@effective-mcp/transport-http/client"
import { serve } from "@effective-mcp/transport-http/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { connect, declared, discovered, info, initialized, legacy, modern, result, scripted } from "./scripted.ts"

const id = "com.example/weather"

const weather = Served.make(id, {
  settings: { units: ["celsius"] },
  methods: {
    "weather/now": Served.method({
      params: { city: Schema.String },
      run: ({ city }) => Effect.succeed({ city, celsius: 21 })
    }),
    "weather/later": (params) =>
      Effect.flatMap(Call, ({ meta, progress }) =>
        Effect.as(progress(1, 2), { resultType: "com.example/forecast", params, told: meta["com.example/k"] })
      ),
    "weather/refused": () => Effect.fail(new RpcError({ code: 7, message: "No weather", data: { today: true } })),
    "weather/asks": () => Effect.succeed({ resultType: "input_required", requestState: "x" })
  }
})
const strict = Served.make("com.example/strict", {
  isRequired: true,
  methods: { "strict/who": () => Effect.map(Call, ({ clientCapabilities: { extensions } }) => ({ extensions })) }
})
const server = Server.make({ name: "sky", version: "1.0.0" }, [weather, strict])

/** Every way to the project's own server. */
const ways = [
  ["in memory", Effect.succeed(Peer.local(server))],
  ["over HTTP", Effect.map(serve(server, { port: 0 }), ({ url }) => overHttp(url))]
] as const

const now = { extension: id, method: "weather/now", params: { city: "Oslo" } }

for (const era of ["modern", "legacy"] as const) {
  for (const [way, reached] of ways) {
    const reach = (options: Client.Options = {}) =>
      Effect.flatMap(reached, (transport) => Client.connect(transport, info, { era, ...options }))

    describe(`an extension of our own server, on ${era} ${way}`, () => {
      it.live("R-163 is called by its id and a method's name, on a client and on its session", () =>
        Effect.gen(function* () {
          const client = yield* reach()
          for (const session of [client, client.session])
            expect(yield* Extension.call(session, now)).toMatchObject({ city: "Oslo", celsius: 21 })
          expect(yield* Effect.flip(Extension.call(client, { ...now, params: { city: 1 } }))).toMatchObject({
            _tag: "RpcError",
            code: -32602
          })
          expect(
            yield* Effect.flip(Extension.call(client, { extension: id, method: "weather/refused" }))
          ).toMatchObject({ _tag: "RpcError", code: 7, message: "No weather", data: { today: true } })
        })
      )
      it.live("R-163 says what its settings are, and nothing of one that is not there", () =>
        Effect.gen(function* () {
          const client = yield* reach()
          expect(Extension.settings(client, id)).toEqual({ units: ["celsius"] })
          for (const other of ["com.example/other", "toString", "__proto__"])
            expect(Extension.settings(client, other)).toBeUndefined()
        })
      )
      it.live("is told of what a request is told of, hears its progress, and names the type of its result", () =>
        Effect.gen(function* () {
          const client = yield* reach()
          const heard: Array<number> = []
          const params = { a: 1, name: "x", uri: "file:///x" }
          const said = yield* Extension.call(
            client,
            { extension: id, method: "weather/later", params: { ...params, _meta: { "com.example/k": "not this" } } },
            { meta: { "com.example/k": "this" }, onProgress: ({ progress }) => void heard.push(progress) }
          )
          expect(said).toMatchObject({ params, told: "this" })
          expect(said.resultType).toBe(era === "modern" ? "com.example/forecast" : undefined)
          expect(heard).toEqual([1])
        })
      )
      it.live("R-163 that has to be declared is refused without, and is not once it is", () =>
        Effect.gen(function* () {
          const who = { extension: "com.example/strict", method: "strict/who" }
          expect(yield* Effect.flip(Extension.call(yield* reach(), who))).toMatchObject({
            _tag: "RpcError",
            code: -32021,
            data: { requiredCapabilities: { extensions: { "com.example/strict": {} } } }
          })
          const extensions = { "com.example/strict": { level: 3 }, "io.modelcontextprotocol/ui": {} }
          expect(yield* Extension.call(yield* reach({ extensions }), who)).toMatchObject({ extensions })
        })
      )
    })
  }
}

describe("what a client declares of extensions", () => {
  const known: ReadonlySet<string> = new Set(["2026-07-28", "2025-11-25"])
  for (const { era, version } of [...modernRevisions, ...legacyRevisions]) {
    const isKnown = known.has(version)
    it.effect(`R-163 is ${isKnown ? "said" : "left out"} on ${version}`, () =>
      Effect.gen(function* () {
        const said = era === "modern" ? modern() : legacy({ initialize: initialized({ protocolVersion: version }) })
        const peer = scripted(said)
        const client = yield* connect(peer, { era, revision: version, extensions: { [id]: { k: [1] } } })
        yield* client.ping()
        const told =
          era === "modern"
            ? peer.run.requests.map((request) => declared(request).capabilities)
            : [peer.run.requests[0]?.params?.capabilities]
        expect(told.length).toBe(era === "modern" ? 2 : 1)
        for (const capabilities of told)
          expect(capabilities).toEqual(isKnown ? { extensions: { [id]: { k: [1] } } } : {})
      })
    )
  }
  it.effect("R-163 is nothing where it has none", () =>
    Effect.gen(function* () {
      const peer = scripted(modern())
      yield* connect(peer, { extensions: {} })
      expect(declared(peer.run.last).capabilities).toEqual({})
    })
  )
  const refused: ReadonlyArray<readonly [string, unknown, RegExp]> = [
    ["an id without a domain", { weather: {} }, /not the id of an extension: "weather"/],
    ["one of a single label", { "com/x": {} }, /not the id/],
    ["one without a name", { "com.example/": {} }, /not the id/],
    ["a label that begins with a digit", { "com.1example/x": {} }, /not the id/],
    ["a label that ends with a hyphen", { "com.example-/x": {} }, /not the id/],
    ["a key of every object", JSON.parse('{"__proto__":{}}'), /not the id/],
    ["settings that are null", { [id]: null }, /settings of the extension com\.example\/weather are no object/],
    ["settings that are a list", { [id]: [] }, /settings/],
    ["settings that are true", { [id]: true }, /settings/],
    ["tasks, whose results it does not know", { "io.modelcontextprotocol/tasks": {} }, /tasks adds types of results/]
  ]
  for (const [what, extensions, message] of refused) {
    it(`R-163 is refused at once, and nothing is started: ${what}`, () => {
      const peer = scripted(modern())
      const options = { extensions: extensions as Client.Options["extensions"] } // cast: it is none, which is the point
      expect(() => connect(peer, options)).toThrow(message)
      expect(() => Client.layer(peer.transport, info, options)).toThrow(message)
      expect(peer.runs).toEqual([])
    })
  }
})

describe("a call of an extension's method", () => {
  const named = { capabilities: { extensions: { [id]: {} } } }
  const scripts = {
    modern: (capabilities: unknown, script = {}) =>
      scripted(modern({ "server/discover": discovered({ capabilities }), ...script })),
    legacy: (capabilities: unknown, script = {}) =>
      scripted(legacy({ initialize: initialized({ capabilities }), ...script }))
  }
  for (const era of ["modern", "legacy"] as const) {
    const reach = Effect.fnUntraced(function* (answer: JsonRpc.JsonObject, options?: Client.Options) {
      const peer = scripts[era](named.capabilities, { "weather/now": result(answer) })
      return [yield* connect(peer, { era, ...options }), peer] as const
    })
    const offers: ReadonlyArray<readonly [string, unknown]> = [
      ["no extensions", {}],
      ["another one", { extensions: { "com.example/other": {} } }],
      ["null for them", { extensions: null }],
      ["a list of them", { extensions: [id] }],
      ["a text", { extensions: id }],
      ["null for it", { extensions: { [id]: null } }],
      ["true for it", { extensions: { [id]: true } }],
      ["a list for it", { extensions: { [id]: [] } }]
    ]
    for (const [what, capabilities] of offers) {
      it.effect(`R-163 is not sent to a server that names ${what}, on ${era}`, () =>
        Effect.gen(function* () {
          const peer = scripts[era](capabilities)
          const client = yield* connect(peer, { era })
          const before = peer.run.heard.length
          const failure = yield* Effect.flip(Extension.call(client, now))
          expect(failure).toBeInstanceOf(NotOffered)
          expect(failure).toMatchObject({ capability: id, outcome: "NotSent" })
          expect(peer.run.heard.length).toBe(before)
        })
      )
    }
    for (const resultType of ["com.example/forecast", "complete", "input_required", "task", ""]) {
      it.effect(`gives back a result of the type ${JSON.stringify(resultType)} as it came, on ${era}`, () =>
        Effect.gen(function* () {
          const answer = { resultType, inputRequests: { a: 5 }, isError: true, "x-vendor": [null] }
          const [client, peer] = yield* reach(answer)
          expect(yield* Extension.call(client, now)).toEqual(answer)
          expect(peer.run.methods.filter((method) => method === "weather/now").length).toBe(1)
        })
      )
    }
    for (const resultType of [1, null, {}, ["complete"]]) {
      it.effect(`fails where its result has a type that is no text, on ${era}: ${JSON.stringify(resultType)}`, () =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(Extension.call((yield* reach({ resultType }))[0], now))
          expect(failure).toBeInstanceOf(Violation)
          expect(failure).toMatchObject({ method: "weather/now", outcome: "Unknown" })
        })
      )
    }
    it.effect(`is asked each time, whatever a result says of its freshness, on ${era}`, () =>
      Effect.gen(function* () {
        const [client, peer] = yield* reach({ ttlMs: 60_000, cacheScope: "public", tools: [{}] })
        for (let n = 0; n < 2; n++) yield* Extension.call(client, now)
        expect(peer.run.methods.filter((method) => method === "weather/now").length).toBe(2)
      })
    )
    it.effect(`passes a program's middleware and guard under its own name, on ${era}`, () =>
      Effect.gen(function* () {
        const seen: Array<unknown> = []
        const seeing: Middleware = ({ extension, method, params }, next) => {
          seen.push({ extension, method, params })
          return next
        }
        const [client] = yield* reach({}, { middleware: [seeing], meta: { "com.example/k": 1 } })
        const guarded = Client.guarded(Extension.call(client, now), ({ method, params: { _meta, ...params } }) =>
          Effect.sync(() => void seen.push({ method, params, told: Object(_meta)["com.example/k"] }))
        )
        yield* guarded
        expect(seen).toEqual([now, { method: now.method, params: now.params, told: 1 }])
      })
    )
  }
  const names = ["tools/call", "initialize", "ping", "server/discover", "tasks/get", "roots/list", "rpc.x", ""]
  for (const method of [...names, "notifications/x"]) {
    it.effect(`R-163 throws where the method is none that an extension can have: ${JSON.stringify(method)}`, () =>
      Effect.gen(function* () {
        const client = yield* connect(scripts.modern(named.capabilities))
        expect(() => Extension.call(client, { extension: id, method })).toThrow("cannot have a method of this name")
      })
    )
  }
  it.effect("R-163 throws where the id is none, and where a time is none", () =>
    Effect.gen(function* () {
      const client = yield* connect(scripts.modern(named.capabilities))
      expect(() => Extension.call(client, { extension: "weather", method: "x" })).toThrow("not the id")
      expect(() => Extension.call(client, now, { timeout: -1 })).toThrow("timeout is not a length of time")
    })
  )
  it.effect("goes on where a raw result is hostile", () =>
    Effect.gen(function* () {
      const lines = [
        '{"jsonrpc":"2.0","id":ID,"result":{"__proto__":{"celsius":1},"constructor":null}}',
        '{"jsonrpc":"2.0","id":ID,"result":[]}',
        '{"jsonrpc":"2.0","id":ID,"result":null}',
        '{"jsonrpc":"2.0","id":ID,"error":null}',
        '{"jsonrpc":"2.0","id":ID,"error":{"code":"x","message":5}}'
      ]
      let turn = 0
      const peer = scripts.modern(named.capabilities, {
        "weather/now": ({ id }: JsonRpc.Request, run: { say: (line: string) => void }) =>
          run.say(lines[turn++]!.replace("ID", String(id)))
      })
      const client = yield* connect(peer)
      const said = yield* Extension.call(client, now)
      expect(Object.keys(said)).toEqual(["__proto__", "constructor"])
      expect(said.celsius).toBeUndefined()
      for (let n = 1; n < lines.length; n++) {
        const failure = yield* Effect.flip(Extension.call(client, now, { timeout: 1_000 }))
        expect(["TransportError", "RpcError", "Violation"]).toContain(failure._tag)
      }
    })
  )
})
