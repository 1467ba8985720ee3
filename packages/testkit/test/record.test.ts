import { type Duplex, type Handler, JsonRpc, local, Meta, Peer } from "@effective-mcp/protocol"
import { Fixture, pair, record, recordConnection, type RecordOptions, Transcript } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const { failure, notification, request, success } = JsonRpc
const sink: Duplex = { incoming: Stream.toPull(Stream.empty), send: () => Effect.void }

/** The recording of an end that says all this and hears all that, in this order. */
const recorded = Effect.fnUntraced(function* (
  conversation: ReadonlyArray<readonly ["ours" | "theirs", JsonRpc.Message]>,
  options?: RecordOptions
) {
  const [near, far] = yield* pair({ capacity: 1000 })
  const [wire, recording] = record(near, options)
  for (const [side, message] of conversation) {
    if (side === "ours") yield* wire.send(message)
    else {
      yield* far.send(message)
      yield* Stream.runHead(Stream.fromPull(wire.incoming))
    }
  }
  return recording
}, Effect.scoped)

const linesOf = (text: string): ReadonlyArray<unknown> =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => [line[0], JSON.parse(line.slice(2))])

describe("a recording", () => {
  it.effect("counts our ids, names theirs, and finds both again", () =>
    Effect.gen(function* () {
      const of = (id: JsonRpc.RequestId) => ({ _meta: { [Meta.SUBSCRIPTION_ID]: id } })
      const { text } = yield* recorded([
        ["ours", request("a-1", "listen", { _meta: { progressToken: "a-1" } })],
        ["ours", request(1, "x")],
        ["theirs", request("a-1", "ask", { _meta: { progressToken: "another" } })],
        ["theirs", notification("notifications/progress", { progressToken: "a-1", progress: 1 })],
        ["theirs", notification("x", of("a-1"))],
        ["ours", success("a-1", {})],
        ["theirs", success(1, of(1))],
        ["ours", notification("notifications/cancelled", { requestId: "a-1" })],
        ["theirs", notification("notifications/cancelled", { requestId: 1 })],
        ["theirs", failure("1", { code: 1, message: "nobody asked" })]
      ])
      expect(linesOf(text())).toStrictEqual([
        [">", request(1, "listen", { _meta: { progressToken: 1 } })],
        [">", request(2, "x")],
        ["<", request("$theirs1", "ask", { _meta: { progressToken: "$token1" } })],
        ["<", notification("notifications/progress", { progressToken: 1, progress: 1 })],
        ["<", notification("x", of(1))],
        [">", success("$theirs1", {})],
        ["<", success(2, of(2))],
        [">", notification("notifications/cancelled", { requestId: 1 })],
        ["<", notification("notifications/cancelled", { requestId: 2 })],
        ["<", failure("1", { code: 1, message: "nobody asked" })]
      ])
    })
  )

  it.effect("keeps progress tokens apart from ids", () =>
    Effect.gen(function* () {
      const progress = (progressToken: JsonRpc.RequestId) => notification("notifications/progress", { progressToken })
      const asking = (id: JsonRpc.RequestId, progressToken: JsonRpc.RequestId) =>
        request(id, "x", { _meta: { progressToken } })
      const { text } = yield* recorded([
        ["ours", asking(7, "random")],
        ["ours", asking("random", 7)],
        ["theirs", progress("random")],
        ["theirs", progress(7)],
        ["theirs", asking(7, 7)],
        ["ours", progress(7)]
      ])
      expect(linesOf(text())).toStrictEqual([
        [">", asking(1, 1)],
        [">", asking(2, 2)],
        ["<", progress(1)],
        ["<", progress(2)],
        ["<", asking("$theirs1", "$theirs1")],
        [">", progress("$theirs1")]
      ])
    })
  )

  it.effect("means what it says: texts with a dollar, and names like __proto__", () =>
    Effect.gen(function* () {
      const strange = JSON.parse(`{"__proto__":{"a":1},"price":"$any","twice":"$$x","none":"a$"}`)
      const { text } = yield* recorded([["theirs", notification("x", strange)]])
      const play = Effect.fnUntraced(function* (params: JsonRpc.JsonObject) {
        const [near, far] = yield* pair()
        yield* far.send(notification("x", params))
        return yield* Effect.exit(Transcript.play(text(), near))
      })
      expect(yield* play(strange)).toMatchObject({ _tag: "Success" })
      expect(yield* play({ ...strange, price: "anything" })).toMatchObject({ _tag: "Failure" })
    })
  )

  it.effect("hides what it is told to hide, before anything is kept", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const redact: RecordOptions["redact"] = (value, path) => {
        asked.push(path.join("/"))
        return path.at(-1) === "token" ? "$any" : value
      }
      const message = notification("x", { token: "SECRET", list: [{ token: { deep: "SECRET" } }, "plain"] })
      const { text } = yield* recorded([["theirs", message]], { redact })
      expect(linesOf(text())).toStrictEqual([
        ["<", notification("x", { token: "$any", list: [{ token: "$any" }, "plain"] })]
      ])
      expect(asked).toContain("params/list/0/token")
      const [wire, recording] = record(sink, { redact })
      yield* wire.send(notification("x", { token: undefined }))
      expect(recording.text()).toBe(`> {"jsonrpc":"2.0","method":"x","params":{}}\n`)
      expect(asked.some((path) => path.endsWith("deep"))).toBe(false)
    })
  )

  it.effect("shows nothing of a message whose redaction fails, or that is no JSON", () =>
    Effect.gen(function* () {
      const cycle: Record<string, unknown> = {}
      cycle.again = cycle
      const [wire, recording] = record(sink, {
        redact: (value) => {
          if (value === "SECRET") throw new Error("SECRET")
          return value
        }
      })
      yield* wire.send(notification("x", { a: "SECRET" }))
      yield* wire.send(notification("x", cycle))
      yield* wire.send(notification("x", { big: 5n }))
      yield* wire.send(notification("x", JSON.parse(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`)))
      expect(recording.text()).toBe("# > a message that could not be written down\n".repeat(4))
    })
  )

  it.effect("ends when it is full, and says how much is missing", () =>
    Effect.gen(function* () {
      const conversation = Array.from({ length: 10 }, (_, n) => ["ours", notification("x", { n })] as const)
      const { missed, text } = yield* recorded(conversation, { length: 200 })
      expect(missed()).toBe(10 - text().match(/^>/gm)!.length)
      expect(text()).toMatch(/\n# the recording is full: \d more\n$/)
      expect(text().length).toBeLessThan(300)
      yield* Transcript.parse(text())
    })
  )

  it.effect("has no gap in the middle: what comes after the first that is missing is missing, too", () =>
    Effect.gen(function* () {
      const conversation = ["a", "b".repeat(500), "c"].map((n) => ["ours", notification("x", { n })] as const)
      const { missed, text } = yield* recorded(conversation, { length: 300 })
      expect(missed()).toBe(2)
      expect(text().match(/^>/gm)?.length).toBe(1)
    })
  )

  it.effect("notes lines that are no message, and batches", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair()
      const [wire, { text }] = record(near)
      yield* far.send(request(1.5, "x"))
      yield* far.send([success(1, {}), success(2, {})])
      yield* far.close
      yield* Stream.runDrain(Stream.fromPull(wire.incoming))
      expect(text()).toBe(
        `# < a line that is no message: the id is not a string or a safe integer\n< ${JSON.stringify([success(1, {}), success(2, {})])}\n`
      )
    })
  )

  it.effect("can be made of a connection: what is heard because of a request stands between it and its answer", () =>
    Effect.gen(function* () {
      const handler: Handler = yield* Fixture.make
      const [connection, { text }] = recordConnection(yield* local(handler))
      const heard: Array<string> = []
      yield* connection.exchange(request(7, "report", { n: 2 }), (said) => Effect.sync(() => heard.push(said.method)))
      yield* connection.send(notification("note", { a: 1 }))
      expect(linesOf(text())).toStrictEqual([
        [">", request(1, "report", { n: 2 })],
        ["<", notification("notifications/progress", { progressToken: 1, progress: 1 })],
        ["<", notification("notifications/progress", { progressToken: 1, progress: 2 })],
        ["<", success(1, { id: 7 })],
        [">", notification("note", { a: 1 })]
      ])
      expect(heard.length).toBe(2)
    })
  )

  it.effect("of a connection holds what is said outside any exchange", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair()
      const [connection, { text }] = recordConnection(yield* Peer.make(near))
      yield* far.send(notification("news"))
      yield* Stream.runHead(Stream.fromPull(connection.incoming))
      expect(text()).toBe(`< {"jsonrpc":"2.0","method":"news"}\n`)
    })
  )
})
