import { type Duplex, JsonRpc, TransportError } from "@effective-mcp/protocol"
import { type End, pair, Transcript } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"

type Said = JsonRpc.Message | ReadonlyArray<JsonRpc.Response>

const note = (n: unknown): JsonRpc.Notification => JsonRpc.notification("x", { n })
const line = (message: unknown): string => JSON.stringify(message)

/** What playing gives when the other side says all this at once. */
const play = Effect.fnUntraced(function* (text: string, said: ReadonlyArray<Said>, options?: Transcript.Options) {
  const [near, far] = yield* pair({ capacity: 100 })
  yield* Effect.forEach(said, far.send)
  return yield* Transcript.play(text, near, options)
}, Effect.scoped)

const mismatchOf = (text: string, said: ReadonlyArray<Said>, options?: Transcript.Options) =>
  Effect.flatMap(Effect.flip(play(text, said, options)), (error) =>
    error._tag === "TranscriptMismatch" ? Effect.succeed(error) : Effect.die(error)
  )

const readOne = ({ incoming }: End) => Stream.runHead(Stream.fromPull(incoming))

describe("a transcript that cannot be read", () => {
  const wrong: ReadonlyArray<readonly [what: string, text: string, line: number, detail: string]> = [
    ["holds nothing", "# only a comment\n\n", 1, "nothing to play"],
    ["has a line of another kind", `> ${line(note(1))}\nhello`, 2, "a line begins with"],
    ["begins with what continues", `  {}`, 1, "continues nothing"],
    ["continues over an empty line", `< {"a":\n\n  1}`, 3, "continues nothing"],
    ["is no JSON", `# 1\n\n< {"a":\n  1`, 3, "not JSON"],
    ["expects no message", `< 5`, 1, "a message is an object"],
    ["sends no message", `> {"jsonrpc":"2.0","id":1}`, 1, "no message"],
    ["sends anything", `> {"jsonrpc":"2.0","method":"x","params":{"a":"$any"}}`, 1, "$any is for what is expected"],
    [
      "sends what has no value yet",
      `> {"jsonrpc":"2.0","method":"$later"}\n< {"a":"$later"}`,
      1,
      "$later has no value yet"
    ],
    ["gives a name twice", `$a = 1\n$a = 2`, 2, "$a has a value already"],
    ["gives a name nothing", `$a 1`, 1, "$name = value"],
    ["gives any a value", `$any = 1`, 1, "has a value already"],
    ["sends in any order", `(\n< {"a":1}\n> {"jsonrpc":"2.0","method":"x"}\n)`, 3, "only what is expected"],
    ["opens twice", `(\n(\n< {}\n)\n)`, 2, "a ( in a ("],
    ["closes nothing", `< {}\n)`, 2, "without anything to close"],
    ["closes at once", `(\n)`, 2, "without anything to close"],
    ["does not close", `# 1\n(\n< {}`, 2, "never closed"],
    ["has more on the line of a sign", `( < {}`, 1, "stands alone"],
    ["goes on after the end", `< end\n< {}`, 2, "nothing is said after the end"],
    ["ends in any order", `(\n< end\n)`, 2, "not in a ("],
    ["is too long", "#".repeat(16 * 1024 * 1024 + 1), 1, "longer than"],
    ["is nested too deep", `< {"a":${"[".repeat(100)}${"]".repeat(100)}}`, 1, "nested deeper"]
  ]
  for (const [what, text, at, detail] of wrong) {
    it.effect(`because it ${what}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Transcript.parse(text))
        expect(error).toMatchObject({
          _tag: "TranscriptSyntaxError",
          line: at,
          detail: expect.stringContaining(detail)
        })
        expect(error.message).toContain(`line ${at}`)
      })
    )
  }

  it.effect("fails before anything is sent", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair()
      expect(yield* Effect.flip(Transcript.play(`> ${line(note(1))}\n> {`, near))).toMatchObject({ line: 2 })
      yield* near.close
      expect(yield* Stream.runCollect(Stream.fromPull(far.incoming))).toStrictEqual([])
    })
  )
})

describe("a transcript", () => {
  it.effect("reads lines of any ending, over several lines, and a mark at its start", () =>
    Effect.gen(function* () {
      const { steps } = yield* Transcript.parse(`\uFEFF# c\r\n< {"a":\r\n\t1,\r\n  "b":2}\r\n\r\n< end\r\n`)
      expect(steps).toStrictEqual([
        { _tag: "Expect", line: 2, pattern: { a: 1, b: 2 } },
        { _tag: "End", line: 6 }
      ])
    })
  )

  it.effect("remembers what a name stood for, and sends it on", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair()
      yield* far.send(JsonRpc.request("id 7", "ask", { deep: { list: [1, null] } }))
      yield* far.send(note("id 7"))
      const text = `
< {"jsonrpc":"2.0","id":"$id","method":"ask","params":{"deep":"$deep"}}
< {"jsonrpc":"2.0","method":"x","params":{"n":"$id"}}
> {"jsonrpc":"2.0","id":"$id","result":{"again":"$deep","price":"$5","dollar":"$$id"}}`
      const captures = yield* Transcript.play(text, near)
      expect([...captures]).toStrictEqual([
        ["id", "id 7"],
        ["deep", { list: [1, null] }]
      ])
      const result = { again: { list: [1, null] }, price: "$5", dollar: "$id" }
      expect(yield* readOne(far)).toMatchObject({ value: JsonRpc.success("id 7", result) })
    })
  )

  it.effect("takes what comes in any order where it says so, each once", () =>
    Effect.gen(function* () {
      const group = (...lines: ReadonlyArray<string>) => ["(", ...lines.map((text) => `< ${text}`), ")"].join("\n")
      const both = group(line(note("$a")), line(note(1)))
      expect((yield* play(both, [note(2), note(1)])).get("a")).toBe(2)
      expect((yield* play(group(line(note(1)), line(note("$a"))), [note(2), note(1)])).get("a")).toBe(2)
      const mismatch = yield* mismatchOf(group(line(note(1)), line(note(2))), [note(2), note(2)])
      expect(mismatch).toMatchObject({ line: 2, difference: "params.n: 1 expected, 2 found" })
    })
  )

  it.effect("gives names no value from what did not fit after all", () =>
    Effect.gen(function* () {
      const lines = [note({ k: "$x", b: 1 }), note({ k: "$any", b: 2 })].map((one) => `< ${line(one)}\n`)
      const captures = yield* play(`(\n${lines.join("")})`, [note({ k: 9, b: 2 }), note({ k: 8, b: 1 })])
      expect(captures.get("x")).toBe(8)
    })
  )

  it.effect("sends what is written, strange names and all", () =>
    Effect.gen(function* () {
      const strange = `{"jsonrpc":"2.0","method":"x","params":{"__proto__":{"a":1},"":null}}`
      const [near, far] = yield* pair()
      yield* Transcript.play(`> ${strange}`, near)
      expect(yield* readOne(far)).toMatchObject({ value: JSON.parse(strange) })
      expect(Object.keys(JSON.parse(strange).params)).toStrictEqual(["__proto__", ""])
    })
  )

  it.effect("passes over what it is told to ignore", () =>
    Effect.gen(function* () {
      const log = JsonRpc.notification("notifications/message", { data: "hello" })
      const ignore: Transcript.Options["ignore"] = (frame) => "method" in frame && frame.method === log.method
      yield* play(`< ${line(note(1))}\n< ${line(note(2))}`, [log, note(1), log, log, note(2)], { ignore })
    })
  )

  it.effect("holds batches, strange names and all kinds of values against each other", () =>
    Effect.gen(function* () {
      const strange = JSON.parse(`{"jsonrpc":"2.0","method":"x","params":{"__proto__":{"a":[]},"":null,"...":"dots"}}`)
      yield* play(`< ${JSON.stringify(strange)}`, [strange])
      const proto = `< {"jsonrpc":"2.0","method":"x","params":{"__proto__":{"a":[1]},"":null,"...":1}}`
      expect(yield* mismatchOf(proto, [strange])).toMatchObject({
        difference: "params.__proto__.a[0]: 1 expected, nothing found"
      })
      const batch = [JsonRpc.success(1, {}), JsonRpc.success(2, { ok: true })]
      yield* play(`< [{"jsonrpc":"2.0","id":1,"result":{}},{"...":"$any","id":2}]`, [batch])
      yield* play(`< ${line(note([true, null, 1.5, "a", {}]))}`, [note([true, null, 1.5, "a", {}])])
    })
  )
})

describe("what does not fit a transcript", () => {
  const expected = { a: 1, list: [{ name: "x" }, 2], text: "t" }
  const unlike: ReadonlyArray<readonly [unknown, string]> = [
    [{ ...expected, a: "1" }, `params.n.a: 1 expected, "1" found`],
    [{ list: expected.list, text: "t" }, "params.n.a: 1 expected, nothing found"],
    [{ ...expected, "odd name": 1 }, `params.n["odd name"]: nothing expected, 1 found`],
    [{ ...expected, list: [{ name: "y" }, 2] }, `params.n.list[0].name: "x" expected, "y" found`],
    [{ ...expected, list: [{ name: "x" }] }, "params.n.list[1]: 2 expected, nothing found"],
    [{ ...expected, list: [{ name: "x" }, 2, 3] }, "params.n.list[2]: nothing expected, 3 found"],
    [{ ...expected, list: {} }, "params.n.list: an array expected, {} found"],
    [{ ...expected, list: [null, 2] }, "params.n.list[0]: an object expected, null found"],
    ["t", `params.n: an object expected, "t" found`]
  ]
  for (const [actual, difference] of unlike) {
    it.effect(`is told with its place: ${difference}`, () =>
      Effect.gen(function* () {
        const error = yield* mismatchOf(`# first\n\n< ${line(note(expected))}`, [note(actual)])
        expect(error).toMatchObject({ line: 3, expected: line(note(expected)), actual: line(note(actual)), difference })
        for (const part of ["line 3", error.expected, error.actual, difference]) expect(error.message).toContain(part)
      })
    )
  }

  it.effect("is a name that stands for something else", () =>
    Effect.gen(function* () {
      const error = yield* mismatchOf(`< ${line(note("$a"))}\n< ${line(note("$a"))}`, [note(1), note("1")])
      expect(error).toMatchObject({ line: 2, difference: `params.n: 1 ($a) expected, "1" found` })
      const other = yield* mismatchOf(`< ${line(note("$a"))}\n< ${line(note("$a"))}`, [note([]), note({})])
      expect(other).toMatchObject({ line: 2, difference: "params.n: [] ($a) expected, {} found" })
    })
  )

  it.effect("may be let pass, member by member or everywhere", () =>
    Effect.gen(function* () {
      const said = [note({ a: 1, b: { c: 2, d: 3 } })]
      const of = (n: unknown) => `< ${line(note(n))}`
      yield* play(of({ a: 1, "...": "$any" }), said)
      yield* play(of({ b: { c: 2 } }), said, { partial: true })
      expect(yield* mismatchOf(of({ b: { c: 2 }, "...": "$any" }), said)).toMatchObject({
        difference: "params.n.b.d: nothing expected, 3 found"
      })
    })
  )

  it.effect("is shown only in part when it is long", () =>
    Effect.gen(function* () {
      const error = yield* mismatchOf(`< ${line(note("x".repeat(100_000)))}`, [note("y".repeat(100_000))])
      expect(error.message.length).toBeLessThan(6000)
    })
  )

  it.effect("is what is no message", () =>
    Effect.gen(function* () {
      const error = yield* mismatchOf(`< ${line(note(1))}`, [JsonRpc.request(1.5, "x")])
      expect(error.actual).toBe("a line that is no message: the id is not a string or a safe integer")
    })
  )

  it.effect("is silence, after a while", () =>
    Effect.gen(function* () {
      const [near] = yield* pair()
      const playing = yield* Effect.forkScoped(Effect.flip(Transcript.play(`\n< ${line(note(1))}`, near)), {
        startImmediately: true
      })
      yield* TestClock.adjust("4999 millis")
      expect(playing.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust("1 millis")
      expect(yield* Fiber.join(playing)).toMatchObject({ line: 2, actual: "nothing in 5000 ms", difference: "" })
    })
  )

  it.effect("is an endless talk of what is ignored", () =>
    Effect.gen(function* () {
      const talk: Duplex = {
        incoming: Stream.toPull(Stream.forever(Stream.fromEffect(Effect.delay(Effect.succeed(note(0)), 10)))),
        send: () => Effect.void
      }
      const playing = yield* Effect.forkScoped(
        Effect.flip(Transcript.play(`< ${line(note(1))}`, talk, { ignore: () => true, withinMs: 100 })),
        { startImmediately: true }
      )
      yield* TestClock.adjust("100 millis")
      expect(yield* Fiber.join(playing)).toMatchObject({ actual: "nothing in 100 ms" })
    })
  )

  it.effect("is a wire that takes nothing, or fails", () =>
    Effect.gen(function* () {
      const stuck: Duplex = { incoming: Effect.succeed(Effect.never), send: () => Effect.never }
      const playing = yield* Effect.forkScoped(
        Effect.flip(Transcript.play(`> ${line(note(1))}`, stuck, { withinMs: 10 })),
        {
          startImmediately: true
        }
      )
      yield* TestClock.adjust("10 millis")
      expect(yield* Fiber.join(playing)).toMatchObject({ line: 1, actual: "it was not taken in 10 ms" })
      const lost = TransportError.make({ _tag: "Closed" })
      const gone: Duplex = { incoming: Stream.toPull(Stream.fail(lost)), send: () => Effect.fail(lost) }
      const told = (text: string) => Effect.map(Effect.flip(Transcript.play(text, gone)), ({ message }) => message)
      expect(yield* told(`> ${line(note(1))}`)).toContain("it could not be sent: the connection is closed")
      expect(yield* told(`< ${line(note(1))}`)).toContain("the wire failed: the connection is closed")
    })
  )

  it.effect("is an end too early, or none", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair()
      yield* Effect.andThen(far.send(note(1)), far.close)
      expect(yield* Effect.flip(Transcript.play(`< ${line(note(1))}\n< ${line(note(2))}`, near))).toMatchObject({
        line: 2,
        actual: "the other side has closed its end"
      })
      const [here, there] = yield* pair()
      yield* there.send(note(1))
      expect(yield* Effect.flip(Transcript.play("< end", here))).toMatchObject({ line: 1, actual: line(note(1)) })
    })
  )

  it.effect("is what turns out to be no message when it is to be sent", () =>
    Effect.gen(function* () {
      const text = `< ${line(note("$id"))}\n> {"jsonrpc":"2.0","id":"$id","method":"x"}`
      expect(yield* mismatchOf(text, [note({})])).toMatchObject({
        line: 2,
        actual: expect.stringContaining("no message")
      })
    })
  )
})
