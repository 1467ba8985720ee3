import {
  type CallError,
  Client,
  Completion,
  Logging,
  NotOffered,
  Prompts,
  Resources,
  Tools
} from "@effective-mcp/client"
import { legacyRevisions, Meta, Peer } from "@effective-mcp/protocol"
import { Call, Prompt, Resource, ResourceTemplate, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import {
  connect,
  discovered,
  error,
  info,
  initialized,
  legacy,
  modern,
  result,
  scripted,
  serverInfo
} from "./scripted.ts"

const cities = ["Berlin", "Bern", "Bonn"]
const complete = { city: (typed: string) => Effect.succeed(cities.filter((name) => name.startsWith(typed))) }

const server = Server.make(
  serverInfo,
  [
    Tool.make("counts", {
      run: Effect.fnUntraced(function* () {
        const { progress } = yield* Call
        for (const n of [1, 2, 3]) yield* progress(n, 3)
        return "3"
      })
    }),
    ...["a", "b", "c"].map((name) => Resource.make(`test:${name}`, { name, read: Effect.succeed(`I am ${name}`) })),
    ResourceTemplate.make("test:city/{city}", {
      name: "city",
      complete,
      read: ({ city }) => Effect.succeed(`In ${city}`)
    }),
    ...["one", "two", "three"].map((name) =>
      Prompt.make(name, {
        arguments: { city: Schema.String },
        complete,
        run: ({ city }) => Effect.succeed(`${name} in ${city}`)
      })
    )
  ],
  { pageSize: 2 }
)

const over = (era: "modern" | "legacy") => Client.connect(Peer.local(server), info, { era })

for (const era of ["modern", "legacy"] as const) {
  describe(`C-01 on ${era}`, () => {
    it.effect("C-28 resources are listed page by page, all, and read", () =>
      Effect.gen(function* () {
        const client = yield* over(era)
        const page = yield* Resources.list(client)
        expect(page.resources.map(({ uri }) => uri)).toEqual(["test:a", "test:b"])
        const next = yield* Resources.list(client, { cursor: page.nextCursor! })
        expect(next.resources.map(({ uri }) => uri)).toEqual(["test:c"])
        expect(next.nextCursor).toBe(undefined)
        const all = yield* Stream.runCollect(Resources.all(client))
        expect(all.map(({ name }) => name)).toEqual(["a", "b", "c"])
        expect(Resources.text(yield* Resources.read(client, all[1]!))).toBe("I am b")
        expect(Resources.text(yield* Resources.read(client, "test:city/Bonn"))).toBe("In Bonn")
        expect((yield* Resources.templates(client)).resourceTemplates.map(({ name }) => name)).toEqual(["city"])
        expect((yield* Stream.runCollect(Resources.allTemplates(client))).length).toBe(1)
      })
    )
    it.effect("a resource that there is not is an error of its own", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(Resources.read(yield* over(era), "test:nowhere"))
        expect(failure).toMatchObject({ _tag: "ResourceNotFound", uri: "test:nowhere", outcome: "Rejected" })
      })
    )
    it.effect("prompts are listed page by page, all, and filled in", () =>
      Effect.gen(function* () {
        const client = yield* over(era)
        expect((yield* Prompts.list(client)).prompts.length).toBe(2)
        const all = yield* Stream.runCollect(Prompts.all(client))
        expect(all.map(({ name }) => name)).toEqual(["one", "two", "three"])
        for (const prompt of ["three", all[2]!]) {
          const { messages } = yield* Prompts.get(client, prompt, { city: "Bern" })
          expect(messages).toMatchObject([{ content: { type: "text", text: "three in Bern" } }])
        }
      })
    )
    it.effect("arguments are completed, of prompts and of templates", () =>
      Effect.gen(function* () {
        const client = yield* over(era)
        const argument = { name: "city", value: "Be" }
        for (const ref of [
          { name: "one" },
          { prompt: "one" },
          { uriTemplate: "test:city/{city}" },
          { template: "test:city/{city}" }
        ])
          expect((yield* Completion.complete(client, ref, argument)).values).toEqual(["Berlin", "Bern"])
      })
    )
    it.effect("a call can be followed: each step, then the result", () =>
      Effect.gen(function* () {
        const client = yield* over(era)
        const steps = yield* Stream.runCollect(Tools.callWithProgress(client, "counts"))
        expect(
          steps.map((step) => (step._tag === "Progress" ? step.progress.progress : Tools.text(step.result)))
        ).toEqual([1, 2, 3, "3"])
        const first = yield* Stream.runCollect(Stream.take(Tools.callWithProgress(client, "counts"), 1))
        expect(first.map(({ _tag }) => _tag)).toEqual(["Progress"])
      })
    )
  })
}

describe("a page", () => {
  it.effect("C-28 keeps what a cache has to know, and what nobody knows", () =>
    Effect.gen(function* () {
      const page = { resources: [], nextCursor: "", ttlMs: 5, cacheScope: "public", _meta: { "a/b": 1 }, "x-y": 2 }
      const script = {
        "server/discover": discovered({ capabilities: { resources: {} } }),
        "resources/list": result({ resultType: "complete", ...page })
      }
      expect(yield* Resources.list(yield* connect(scripted(modern(script))))).toMatchObject(page)
    })
  )
})

describe("reading", () => {
  for (const code of [-32002, -32602]) {
    it.effect(`what a server refuses with ${code} is not there`, () =>
      Effect.gen(function* () {
        const capabilities = { resources: {} }
        const servers = [
          scripted(modern({ "server/discover": discovered({ capabilities }), "resources/read": error(code) })),
          scripted(legacy({ initialize: initialized({ capabilities }), "resources/read": error(code) }))
        ]
        for (const server of servers)
          expect(yield* Effect.flip(Resources.read(yield* connect(server), "a:b"))).toMatchObject({
            _tag: "ResourceNotFound",
            error: { code }
          })
      })
    )
  }
})

describe("what a server does not offer", () => {
  it.effect("is not asked for", () =>
    Effect.gen(function* () {
      const server = scripted(modern())
      const client = yield* connect(server)
      const calls: ReadonlyArray<readonly [string, Effect.Effect<unknown, CallError | Resources.ResourceNotFound>]> = [
        ["resources", Resources.list(client)],
        ["resources", Resources.templates(client)],
        ["resources", Resources.read(client, "a:b")],
        ["prompts", Prompts.list(client)],
        ["prompts", Prompts.get(client, "p")],
        ["completions", Completion.complete(client, { prompt: "p" }, { name: "a", value: "" })],
        ["logging", Logging.setLevel(client, "info")]
      ]
      for (const [capability, call] of calls) expect(yield* Effect.flip(call)).toEqual(new NotOffered({ capability }))
      expect(server.run.requests.length).toBe(1)
    })
  )
  for (const { version } of legacyRevisions) {
    it.effect(`on ${version}: completions have to be declared but on 2024-11-05, which cannot say so`, () =>
      Effect.gen(function* () {
        const values = result({ completion: { values: ["x"] } })
        const server = scripted(
          legacy({
            initialize: initialized({ protocolVersion: version, capabilities: { prompts: {} } }),
            "completion/complete": values
          })
        )
        const known = { b: "c" }
        const asked = Completion.complete(yield* connect(server), { prompt: "p" }, { name: "a", value: "x" }, { known })
        const outcome = yield* Effect.match(asked, { onFailure: ({ _tag }) => _tag, onSuccess: ({ values }) => values })
        expect(outcome).toEqual(version === "2024-11-05" ? ["x"] : "NotOffered")
        if (version === "2024-11-05") expect(server.run.last.params).not.toHaveProperty("context")
      })
    )
  }
})

describe("the level of logs", () => {
  it.effect("R-144 is said once to a legacy server, and with each request to a modern one", () =>
    Effect.gen(function* () {
      const capabilities = { logging: {}, tools: {} }
      const tools = { "tools/list": result({ tools: [] }) }
      const old = scripted(
        legacy({ initialize: initialized({ capabilities }), "logging/setLevel": result({}), ...tools })
      )
      const oldClient = yield* connect(old)
      yield* Logging.setLevel(oldClient, "notice")
      expect(old.run.last).toMatchObject({ method: "logging/setLevel", params: { level: "notice" } })
      yield* Tools.list(oldClient, {}, { logLevel: "debug" })
      expect(Object.keys(Meta.of(old.run.last.params))).toEqual(["progressToken"])

      const young = scripted(modern({ "server/discover": discovered({ capabilities }), ...tools }))
      const client = yield* connect(young)
      const level = () => Meta.of(young.run.last.params)[Meta.LOG_LEVEL]
      yield* Tools.list(client)
      expect(level()).toBe(undefined)
      yield* Tools.list(client, {}, { logLevel: "debug" })
      expect(level()).toBe("debug")
      yield* Logging.setLevel(client, "error")
      expect(young.run.methods).not.toContain("logging/setLevel")
      yield* Tools.list(client)
      expect(level()).toBe("error")
      yield* Tools.list(client, {}, { logLevel: "debug", meta: { "a/b": 1 } })
      expect(level()).toBe("debug")
    })
  )
  it.effect("R-144 is one of eight", () =>
    Effect.gen(function* () {
      const capabilities = { logging: {}, tools: {} }
      const client = yield* connect(scripted(modern({ "server/discover": discovered({ capabilities }) })))
      for (const level of ["loud", "", "INFO", "__proto__"]) {
        expect(() => Logging.setLevel(client, level as never)).toThrow("level")
        expect(() => Tools.list(client, {}, { logLevel: level as never })).toThrow("level")
      }
    })
  )
  it.effect("goes on to the next session", () =>
    Effect.gen(function* () {
      const capabilities = { logging: {}, tools: {} }
      const tools = { "tools/list": result({ tools: [] }) }
      const server = scripted(modern({ "server/discover": discovered({ capabilities }), ...tools }))
      const client = yield* connect(server)
      yield* Logging.setLevel(client, "error")
      yield* client.reconnect
      yield* Tools.list(client)
      expect(server.runs.length).toBe(2)
      expect(Meta.of(server.run.last.params)[Meta.LOG_LEVEL]).toBe("error")
    })
  )
})

describe("what a server logs", () => {
  for (const era of ["modern", "legacy"] as const) {
    it.effect(`FEA-17 on ${era} can be followed, from the level that was set`, () =>
      Effect.gen(function* () {
        const logs = Tool.make("logs", {
          run: Effect.fnUntraced(function* () {
            const { log } = yield* Call
            yield* log("debug", "nobody hears this")
            yield* log("warning", { disk: "full" })
            return "done"
          })
        })
        const server = Server.make(serverInfo, [logs], { logging: true })
        const client = yield* Client.connect(Peer.local(server), info, { era })
        const heard = yield* Effect.forkChild(Stream.runCollect(Stream.take(Logging.messages(client), 1)), {
          startImmediately: true
        })
        yield* Logging.setLevel(client, "warning")
        yield* Tools.call(client, "logs")
        expect(yield* Fiber.join(heard)).toMatchObject([{ level: "warning", data: { disk: "full" } }])
      })
    )
  }
})
