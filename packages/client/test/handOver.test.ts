import { type Client, NotOffered, Subscriptions, Tools, Violation } from "@effective-mcp/client"
import { JsonRpc, Meta } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import {
  type Act,
  begin,
  connect,
  death,
  declared,
  discovered,
  inTurn,
  legacy,
  Log,
  modern,
  pass,
  result,
  type Run,
  scripted,
  silence,
  started
} from "./scripted.ts"

const listen = "subscriptions/listen"
const wish = { toolsListChanged: true }

const tagged = (id: JsonRpc.RequestId, method: string, params: JsonRpc.JsonObject = {}) =>
  JsonRpc.notification(`notifications/${method}`, { ...params, _meta: { [Meta.SUBSCRIPTION_ID]: id } })

const acknowledge: Act = ({ id }, run) => run.say(tagged(id, "subscriptions/acknowledged", { notifications: wish }))
const listening = modern({ [listen]: acknowledge, "tools/list": result({ resultType: "complete", tools: [] }) })

const listens = (run: Run) => run.requests.filter(({ method }) => method === listen)

/** Lets what was forked run. */
const turns = Effect.repeat(Effect.yieldNow, { times: 50 })
/** Up for long enough to be started again. */
const longer = TestClock.adjust("6 seconds")

/** Reads a subscription to its end, and what it was told until then. */
const read = (client: Client.Client, options?: Subscriptions.Options) =>
  Effect.gen(function* () {
    const told: Array<string> = []
    const reading = yield* begin(
      Effect.flip(
        Stream.runForEach(Subscriptions.listen(client, wish, options), ({ _tag }) =>
          Effect.sync(() => void told.push(_tag))
        )
      )
    )
    yield* turns
    return { told, ended: Fiber.join(reading), isOpen: () => reading.pollUnsafe() === undefined }
  })

describe("a subscription whose process has ended", () => {
  it.effect("R-085 has it started again at once, with no time in between; without one it is not", () =>
    Effect.gen(function* () {
      const server = scripted(listening)
      const client = yield* connect(server)
      yield* longer
      server.run.exit()
      yield* turns
      expect(server.runs.length).toBe(1)
      yield* Tools.list(client)
      const { told } = yield* read(client)
      yield* longer
      server.run.exit()
      yield* turns
      expect(server.runs.length).toBe(3)
      expect(told).toEqual(["Listening", "Listening", "Missed"])
    })
  )
  it.effect(
    "R-082 R-089 is asked for once more, with a new id, and nothing of the old one reaches the new process",
    () =>
      Effect.gen(function* () {
        const server = scripted(listening)
        const client = yield* connect(server)
        const all = yield* Effect.forEach(Array.from({ length: 8 }), () => read(client))
        yield* longer
        server.run.exit()
        yield* turns
        expect(server.runs.length).toBe(2)
        const [before, after] = server.runs.map((run) => listens(run).map(({ id }) => id))
        expect(before?.length).toBe(8)
        expect(after?.length).toBe(8)
        expect(new Set([...before!, ...after!]).size).toBe(16)
        for (const { told } of all) expect(told).toEqual(["Listening", "Listening", "Missed"])
        expect(server.run.methods.filter((method) => method === "notifications/cancelled")).toEqual([])
      })
  )
  it.effect(
    "R-073 has a new deadline for its acknowledgement, and is cancelled where it was asked for the last time",
    () =>
      Effect.gen(function* () {
        const server = scripted(listening, modern({ [listen]: silence }))
        const client = yield* connect(server)
        const { told } = yield* read(client, { reopenings: 1 })
        yield* TestClock.adjust("20 seconds")
        server.run.exit()
        yield* turns
        yield* TestClock.adjust("29 seconds")
        expect(server.run.methods).toEqual(["server/discover", listen])
        yield* TestClock.adjust("1 seconds")
        yield* turns
        const cancel = server.run.heard.at(-1)
        expect(cancel).toMatchObject({
          method: "notifications/cancelled",
          params: { requestId: listens(server.run).at(-1)!.id }
        })
        expect(server.runs[0]!.methods).not.toContain("notifications/cancelled")
        expect(told).toEqual(["Listening"])
      })
  )
  it.effect("R-083 is cancelled by who leaves it on the process that has it, and on none that has gone", () =>
    Effect.gen(function* () {
      const server = scripted(listening)
      const client = yield* connect(server)
      const leaving = yield* begin(Stream.runDrain(Subscriptions.listen(client, wish)))
      yield* turns
      yield* longer
      server.run.exit()
      yield* turns
      yield* Fiber.interrupt(leaving)
      yield* turns
      expect(server.runs[0]!.methods).toEqual(["server/discover", listen])
      expect(server.run.heard.at(-1)).toMatchObject({
        method: "notifications/cancelled",
        params: { requestId: listens(server.run)[0]!.id }
      })
      // one that is left between two processes is asked for on neither
      const other = yield* begin(Stream.runDrain(Subscriptions.listen(client, wish)))
      yield* turns
      yield* longer
      server.run.exit()
      yield* Fiber.interrupt(other)
      yield* turns
      expect(server.runs.slice(2).flatMap(listens)).toEqual([])
    })
  )
  it.effect(
    "R-086 fails with how it ended when it had been up for less than 5 s, and is started for the next who asks",
    () =>
      Effect.gen(function* () {
        const server = scripted(listening)
        const client = yield* connect(server)
        const all = yield* Effect.forEach(Array.from({ length: 3 }), () => read(client))
        yield* TestClock.adjust(4_999)
        server.run.exit()
        for (const { ended } of all) {
          expect(yield* ended).toMatchObject({ reason: { _tag: "Closed", exit: { code: 1 }, stderr: "boom" } })
        }
        expect(server.runs.length).toBe(1)
        const { told } = yield* read(client)
        expect(told).toEqual(["Listening"])
        expect(server.runs.length).toBe(2)
      })
  )
  it.effect("R-086 is asked for again however soon its process was ended by the program", () =>
    Effect.gen(function* () {
      const server = scripted(listening)
      const client = yield* connect(server)
      const { isOpen, told } = yield* read(client)
      for (let i = 0; i < 3; i++) {
        yield* client.reconnect
        yield* pass(1)
      }
      expect(isOpen()).toBe(true)
      expect(told.filter((one) => one === "Listening").length).toBe(4)
    })
  )
  it.effect("R-087 fails when a legacy server takes the place of a modern one, which is asked for nothing of it", () =>
    Effect.gen(function* () {
      const server = scripted(listening, legacy())
      const client = yield* connect(server)
      const { ended } = yield* read(client)
      yield* longer
      server.run.exit()
      const failure = yield* ended
      expect(failure).toBeInstanceOf(NotOffered)
      expect(failure).toMatchObject({ capability: listen, outcome: "NotSent" })
      expect(client.era).toBe("legacy")
      expect(server.run.methods).toEqual(["server/discover", "initialize", "notifications/initialized"])
      // a new one may be had in that era
      expect((yield* read(client)).told).toEqual(["Listening"])
    })
  )
  it.effect("R-088 fails with why when no other process can be started, after what is tried for a request", () =>
    Effect.gen(function* () {
      const server = scripted(listening, modern({ "server/discover": death, initialize: death }))
      const client = yield* connect(server)
      const { ended, told } = yield* read(client)
      yield* longer
      server.run.exit()
      yield* pass(30)
      expect(yield* ended).toMatchObject({ _tag: "TransportError", reason: { _tag: "Closed" }, outcome: "NotSent" })
      expect(told).toEqual(["Listening"])
      // two starts each, five times
      expect(server.runs.length).toBe(11)
    })
  )
  it.effect("R-084 is asked for on the next one when it could not be written any more, and once", () =>
    Effect.gen(function* () {
      const server = scripted(listening)
      const client = yield* connect(server)
      yield* longer
      // which nobody has noticed yet
      server.run.exit()
      const { told } = yield* read(client)
      expect(told).toEqual(["Listening"])
      expect(server.runs.map((run) => listens(run).length)).toEqual([0, 1])
    })
  )
  it.effect("R-080 says anew what of its wish the new process takes", () =>
    Effect.gen(function* () {
      const narrow: Act = ({ id }, run) => run.say(tagged(id, "subscriptions/acknowledged", { notifications: {} }))
      const server = scripted(listening, modern({ [listen]: narrow }))
      const client = yield* connect(server)
      const all: Array<Subscriptions.Change> = []
      yield* begin(
        Stream.runForEach(Subscriptions.listen(client, wish), (change) => Effect.sync(() => void all.push(change)))
      )
      yield* turns
      yield* longer
      server.run.exit()
      yield* turns
      expect(all).toEqual([
        { _tag: "Listening", granted: wish, refused: {} },
        { _tag: "Listening", granted: {}, refused: wish },
        { _tag: "Missed" }
      ])
    })
  )
})

describe("a process that ended too soon after its start", () => {
  it.effect("R-086 gets nothing again that it had, and is started for the second new request", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ "tools/list": silence }), listening)
      const client = yield* connect(server)
      const open = yield* begin(Effect.forEach([1, 2, 3], () => Effect.flip(Tools.list(client)), { concurrency: 3 }))
      yield* server.run.told("tools/list", 3)
      server.run.exit()
      for (const failure of yield* Fiber.join(open)) {
        expect(failure).toMatchObject({ reason: { _tag: "Closed", exit: { code: 1 } }, outcome: "Unknown" })
      }
      expect(server.runs.length).toBe(1)
      // they have asked already
      expect(yield* Tools.list(client)).toMatchObject({ tools: [] })
      expect(server.runs.length).toBe(2)
      server.run.exit()
      yield* turns
      expect(yield* Effect.flip(Tools.list(client))).toMatchObject({
        reason: { exit: { code: 1 } },
        outcome: "NotSent"
      })
      expect(server.runs.length).toBe(2)
      expect(yield* Tools.list(client)).toMatchObject({ tools: [] })
      expect(server.runs.length).toBe(3)
    })
  )
})

describe("while a process takes the place of another", () => {
  it.effect("R-004 requests wait, and reach it once it has been come to terms with", () =>
    Effect.gen(function* () {
      const slow = { ...listening, "server/discover": silence }
      const server = scripted(listening, slow)
      const client = yield* connect(server)
      yield* longer
      server.run.exit()
      const all = yield* begin(
        Effect.forEach([1, 2, 3], () => Tools.list(client, {}, { cache: "reload" }), { concurrency: 3 })
      )
      yield* started(server, 2)
      yield* server.run.told("server/discover")
      const late = yield* begin(Tools.list(client, {}, { cache: "reload" }))
      yield* turns
      expect(server.run.methods).toEqual(["server/discover"])
      discovered()(server.run.last, server.run)
      expect((yield* Fiber.join(all)).length).toBe(3)
      yield* Fiber.join(late)
      expect(server.runs.length).toBe(2)
      expect(server.run.methods.slice(1)).toEqual(["tools/list", "tools/list", "tools/list", "tools/list"])
    })
  )
  it.effect("R-002 the end of the one counts for more than that it had been come to terms with", () =>
    Effect.gen(function* () {
      const server = scripted(listening)
      const client = yield* connect(server)
      yield* longer
      server.run.exit()
      yield* turns
      expect(client.era).toBe("modern")
      expect(client.connected).toBe(false)
      yield* Tools.list(client)
      expect(server.runs.map(({ methods }) => methods)).toEqual([
        ["server/discover"],
        ["server/discover", "tools/list"]
      ])
    })
  )
  it.effect("R-008 its era is found out anew, and a request is made for that alone", () =>
    Effect.gen(function* () {
      const server = scripted(listening, legacy({ "tools/list": result({ tools: [] }) }))
      const client = yield* connect(server)
      yield* Tools.list(client)
      expect(declared(server.run.last)).toMatchObject({ version: "2026-07-28" })
      yield* longer
      server.run.exit()
      yield* Tools.list(client, {}, { cache: "reload" })
      expect(client.era).toBe("legacy")
      expect(declared(server.run.last)).toEqual({ version: undefined, client: undefined, capabilities: undefined })
    })
  )
})

describe("what a server says to a subscription", () => {
  it.effect("R-070 is asked for on a modern session alone", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      const client = yield* connect(server, { era: "legacy" })
      const failure = yield* Effect.flip(client.request(listen, { notifications: wish }))
      expect(failure).toBeInstanceOf(NotOffered)
      expect(failure).toMatchObject({ capability: listen, outcome: "NotSent" })
      expect(server.run.methods).not.toContain(listen)
    })
  )
  for (const [what, end] of [
    ["asks for input", { resultType: "input_required", inputRequests: {} }],
    ["has no type", {}],
    ["has a type that is none", { resultType: 5 }],
    ["has a type of tomorrow", { resultType: "tomorrow" }]
  ] as const) {
    it.effect(`R-076 is a failure when its result ${what}`, () =>
      Effect.gen(function* () {
        const server = scripted(listening)
        const client = yield* connect(server)
        const { ended } = yield* read(client)
        const { id } = listens(server.run)[0]!
        server.run.say(JsonRpc.success(id, { ...end, _meta: { [Meta.SUBSCRIPTION_ID]: id } }))
        expect(yield* ended).toBeInstanceOf(Violation)
        expect(listens(server.run).length).toBe(1)
      })
    )
  }
  it.effect(
    "R-077 R-078 is known to the cache before it is told, and whoever hears it may ask, fail and change what it heard",
    () => {
      const log = new Log()
      return Effect.gen(function* () {
        const list = inTurn(
          result({ resultType: "complete", tools: [], ttlMs: 60_000, cacheScope: "private" }),
          result({
            resultType: "complete",
            tools: [{ name: "new", inputSchema: { type: "object" } }],
            ttlMs: 60_000,
            cacheScope: "private"
          })
        )
        const server = scripted(modern({ [listen]: acknowledge, "tools/list": list }))
        const client = yield* connect(server)
        client.hub.onHeard((heard) => {
          Object.assign(heard, { _tag: "Missed", list: "prompts" })
          throw new Error("a listener with a bug")
        })
        yield* Tools.list(client)
        const names = yield* begin(
          Subscriptions.listen(client, wish).pipe(
            Stream.filter(({ _tag }) => _tag !== "Listening"),
            Stream.mapEffect((change) =>
              Effect.map(Tools.list(client), ({ tools }) => [change, tools.map(({ name }) => name)])
            ),
            Stream.runHead
          )
        )
        yield* turns
        server.run.say(tagged(listens(server.run)[0]!.id, "tools/list_changed"))
        expect(yield* Fiber.join(names)).toMatchObject({ value: [{ _tag: "ListChanged", list: "tools" }, ["new"]] })
        expect(log.lines.join("\n")).toContain("a listener failed")
      }).pipe(Effect.provide(log.layer))
    }
  )
})
