import { PassThrough, Readable, Writable } from "node:stream"
import { type Duplex, Frame, type Handler, JsonRpc, limits, Peer, TransportError } from "@effective-mcp/protocol"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { pipe } from "../src/pipe.ts"
import { write } from "../src/writing.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const ping = (id: number) => JsonRpc.request(id, "ping")
/** Lets streams and microtasks do what they have to do. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
const line = (message: unknown): string => JSON.stringify(message) + "\n"

/** All that comes, and the failure that ended it, if one did. */
const collect = (duplex: Duplex) =>
  Effect.suspend(() => {
    const frames: Array<Frame.Frame> = []
    return Stream.fromPull(duplex.incoming).pipe(
      Stream.runForEach((frame) => Effect.sync(() => void frames.push(frame))),
      Effect.match({
        onSuccess: () => ({ frames, reason: undefined }),
        onFailure: ({ reason }) => ({ frames, reason })
      }),
      Effect.timeout("5 seconds")
    )
  })

/** An effect that begins when its fiber has done so many steps: it gives up its turn after some of them. */
const after = <A, E>(steps: number, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  steps === 0 ? effect : Effect.flatMap(Effect.void, () => after(steps - 1, effect))

/** What a pipe makes of chunks that come one a turn. */
const read = (chunks: Iterable<Uint8Array>, options?: { readonly messageBytes?: number }) =>
  Effect.scoped(
    Effect.gen(function* () {
      const input = new PassThrough()
      const duplex = yield* pipe(input, new PassThrough(), options)
      const reader = yield* Effect.forkChild(collect(duplex), { startImmediately: true })
      for (const chunk of chunks) {
        input.write(chunk)
        yield* turn
      }
      input.end()
      return yield* Fiber.join(reader)
    })
  )

/** An output that takes what `take` confirms, and counts its writes. */
const slowOutput = () => {
  const writes: Array<string> = []
  let confirm: Array<() => void> = []
  const output = new Writable({
    highWaterMark: 1024,
    decodeStrings: false,
    write: (chunk: string, _, done) => {
      writes.push(chunk)
      confirm.push(done)
    }
  })
  const take = (): void => {
    const all = confirm
    confirm = []
    for (const done of all) done()
  }
  return { output, writes, take }
}

it.live("STD-02 a byte order mark at the very start is dropped, in one read or in three, and nowhere else", () =>
  Effect.gen(function* () {
    const mark = Uint8Array.of(0xef, 0xbb, 0xbf)
    const rest = bytes(line(ping(0)))
    expect((yield* read([mark, rest])).frames).toEqual([ping(0)])
    expect((yield* read([...[...mark].map((byte) => Uint8Array.of(byte)), rest])).frames).toEqual([ping(0)])
    const { frames } = yield* read([rest, mark, rest])
    expect(frames[0]).toEqual(ping(0))
    expect(frames[1]).toBeInstanceOf(Frame.Malformed)
  })
)

it.live("STD-03 a character cut by a read arrives whole, wherever the cut", () =>
  Effect.gen(function* () {
    const message = JsonRpc.success(1, { t: "é—漢🎉" })
    const whole = bytes(line(message))
    for (let cut = 1; cut < whole.length; cut++) {
      expect((yield* read([whole.subarray(0, cut), whole.subarray(cut)])).frames).toEqual([message])
    }
    expect((yield* read([...whole].map((byte) => Uint8Array.of(byte)))).frames).toEqual([message])
  })
)

it.live("STD-06 the limit counts a line, not what came with it", () =>
  Effect.gen(function* () {
    const limit = 1_048_576
    const ofLength = (length: number) => {
      const empty = JSON.stringify(JsonRpc.success(1, { t: "" })).length
      return JsonRpc.success(1, { t: "x".repeat(length - empty) })
    }
    const second = JsonRpc.success(2, {})
    const fits = yield* read([bytes(line(ofLength(limit)) + line(second))], { messageBytes: limit })
    expect(fits.frames).toEqual([ofLength(limit), second])
    expect(fits.reason).toBeUndefined()

    const first = JsonRpc.success(0, {})
    const over = line(first) + line(ofLength(limit + 1)) + line(second)
    const tooLong = yield* read([bytes(over)], { messageBytes: limit })
    expect(tooLong.frames).toEqual([first])
    expect(tooLong.reason).toEqual({ _tag: "TooLarge", limit })
  })
)

it.live("C-14 a line that reaches the limit without a newline fails the pipe, and nothing more is read", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const input = new PassThrough()
      const duplex = yield* pipe(input, new PassThrough(), { messageBytes: 1000 })
      const reader = yield* Effect.forkChild(collect(duplex), { startImmediately: true })
      input.write("x".repeat(1001))
      expect(yield* Fiber.join(reader)).toEqual({ frames: [], reason: { _tag: "TooLarge", limit: 1000 } })
      expect(input.listenerCount("data")).toBe(0)
      expect(input.isPaused()).toBe(true)
    })
  )
)

it.live("C-13 the longest line is 4 MiB unless told otherwise", () =>
  Effect.gen(function* () {
    const message = (length: number) => bytes(`"${"x".repeat(length - 2)}"\n`)
    expect(limits.messageBytes).toBe(4 * 1024 * 1024)
    expect((yield* read([message(limits.messageBytes)])).reason).toBeUndefined()
    const { reason } = yield* read([message(limits.messageBytes + 1)])
    expect(reason).toEqual({ _tag: "TooLarge", limit: limits.messageBytes })
  })
)

/** The lines that a stream carries, as JSON. */
const messagesOf = (output: PassThrough) => {
  const messages: Array<{ readonly id?: unknown }> = []
  let rest = ""
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop()!
    for (const text of lines) messages.push(JSON.parse(text))
  })
  return messages
}

it.live("STD-19 a request that comes in halves, with a large answer leaving between them, is answered once", () =>
  Effect.gen(function* () {
    const rounds = 1_000
    const [input, output] = [new PassThrough(), new PassThrough()]
    const answers = messagesOf(output)
    const handler: Handler = {
      notify: () => Effect.void,
      exchange: ({ id, params }) =>
        Effect.succeed(JsonRpc.success(id, params === undefined ? {} : { text: "x".repeat(Number(params.size)) }))
    }
    const server = Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* Peer.make(yield* pipe(input, output))
        yield* Peer.serve(connection, handler)
      })
    )
    const serving = yield* Effect.forkChild(server, { startImmediately: true })
    for (let id = 0; id < rounds; id++) {
      const whole = bytes(line(ping(id)))
      const cut = 1 + Math.floor(Math.random() * (whole.length - 1))
      const size = id % 50 === 0 ? 1024 * 1024 : 1024
      input.write(line(JsonRpc.request(`large ${id}`, "large", { size })))
      input.write(whole.subarray(0, cut))
      yield* turn
      input.write(whole.subarray(cut))
    }
    input.end()
    yield* Effect.timeout(Fiber.join(serving), "10 seconds")
    yield* turn
    expect(answers).toHaveLength(2 * rounds)
    expect(new Set(answers.map(({ id }) => id)).size).toBe(2 * rounds)
  })
)

it.live("STD-19 a reader that is interrupted while a line is half read loses nothing to the next one", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const rounds = 1_000
      const input = new PassThrough()
      const duplex = yield* pipe(input, new PassThrough())
      const frames: Array<Frame.Frame> = []
      const reading = Stream.runForEach(Stream.fromPull(duplex.incoming), (frame) =>
        Effect.sync(() => void frames.push(frame))
      )
      for (let id = 0; id < rounds; id++) {
        const whole = bytes(line(ping(id)))
        const cut = 1 + Math.floor(Math.random() * (whole.length - 1))
        const reader = yield* Effect.forkChild(reading, { startImmediately: true })
        input.write(whole.subarray(0, cut))
        yield* turn
        yield* Fiber.interrupt(reader)
        input.write(whole.subarray(cut))
      }
      input.end()
      yield* Effect.timeout(reading, "5 seconds")
      expect(frames).toEqual(Array.from({ length: rounds }, (_, id) => ping(id)))
    })
  )
)

it.live("T-14 a message is one line, and all that is said in one turn leaves in one write", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { output, take, writes } = slowOutput()
      const duplex = yield* pipe(new PassThrough(), output)
      const messages = ["a\nb", "c\u2028d"].map((text, id) => JsonRpc.success(id, { text }))
      for (const message of messages) yield* duplex.send(message)
      expect(writes).toEqual([])
      yield* turn
      expect(writes).toHaveLength(1)
      const lines = writes[0]!.split("\n")
      expect(lines.pop()).toBe("")
      expect(lines.map((text) => JSON.parse(text))).toEqual(messages)
      take()
    })
  )
)

it.live("beyond 64 KiB a turn is written at once", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { output, take, writes } = slowOutput()
      const duplex = yield* pipe(new PassThrough(), output)
      yield* duplex.send(JsonRpc.success(1, { text: "x".repeat(64 * 1024) }))
      expect(writes).toHaveLength(1)
      take()
    })
  )
)

it.live("send waits while the output is full, and one that is interrupted has handed over nothing", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { output, take, writes } = slowOutput()
      const duplex = yield* pipe(new PassThrough(), output)
      yield* duplex.send(JsonRpc.success(1, { text: "x".repeat(64 * 1024) }))
      const second = yield* Effect.forkChild(duplex.send(ping(2)), { startImmediately: true })
      const third = yield* Effect.forkChild(duplex.send(ping(3)), { startImmediately: true })
      yield* turn
      expect(second.pollUnsafe()).toBeUndefined()
      yield* Fiber.interrupt(second)
      take()
      yield* Effect.timeout(Fiber.join(third), "5 seconds")
      yield* turn
      expect(writes.slice(1)).toEqual([line(ping(3))])
      take()
    })
  )
)

it.live(
  "what is handed over at once leaves in order with what is sent; without room, or over the limit, it is not",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { output, take, writes } = slowOutput()
        const { send } = yield* pipe(new PassThrough(), output, { messageBytes: 64 * 1024 })
        const isTaken = (message: JsonRpc.Message): boolean | undefined => send.now?.(message)
        const large = JsonRpc.success(4, { text: "x".repeat(32 * 1024) })
        expect(isTaken(ping(1))).toBe(true)
        yield* send(ping(2))
        expect(isTaken(JsonRpc.success(3, { text: "x".repeat(64 * 1024) }))).toBe(false)
        expect(isTaken(large)).toBe(true)
        yield* turn
        expect(writes).toEqual([line(ping(1)) + line(ping(2)) + line(large)])
        expect(isTaken(ping(5))).toBe(false)
        take()
        yield* turn
        expect(isTaken(ping(6))).toBe(true)
        yield* turn
        expect(writes.slice(1)).toEqual([line(ping(6))])
        output.destroy()
        yield* turn
        expect(isTaken(ping(7))).toBe(false)
      })
    )
)

it.live("send that gives up its turn between two steps does not miss that there is room again", () =>
  Effect.gen(function* () {
    for (let steps = 0; steps < 20; steps++) {
      const { output, take } = slowOutput()
      const { flush, send } = write(output, {}, () => {})
      yield* send(ping(1))
      yield* send(JsonRpc.success(1, { text: "x".repeat(64 * 1024) }))
      const waiting = yield* Effect.forkChild(after(steps, send(ping(2))), { startImmediately: true }).pipe(
        Effect.provideService(References.MaxOpsBeforeYield, 10)
      )
      take()
      yield* Effect.timeout(Fiber.join(waiting), "5 seconds")
      flush()
    }
  })
)

it.effect("what is on hold takes nothing at once and nothing later, and fails it as not sent", () =>
  Effect.gen(function* () {
    const { output, writes } = slowOutput()
    const { fail, flush, hold, send } = write(output, {}, () => {})
    hold()
    expect(send.now?.(ping(1))).toBe(false)
    const sending = yield* Effect.forkChild(Effect.flip(send(ping(2))), { startImmediately: true })
    flush()
    expect([writes, sending.pollUnsafe()]).toEqual([[], undefined])
    fail(TransportError.make({ _tag: "Closed" }))
    expect(yield* Fiber.join(sending)).toMatchObject({ reason: { _tag: "Closed" }, outcome: "NotSent" })
  })
)

it.live("an output that throws has failed: what it had taken may have left, what comes next has not", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const cause = new Error("EAGAIN")
      const output = new Writable({
        write: () => {
          throw cause
        }
      })
      const duplex = yield* pipe(new PassThrough(), output)
      const peer = yield* Peer.make(duplex)
      const long = { text: "x".repeat(64 * 1024) }
      for (const [params, outcome] of [
        [long, "Unknown"],
        [{}, "NotSent"]
      ] as const) {
        const failed = yield* Effect.flip(peer.exchange(JsonRpc.request(outcome, "x", params), () => Effect.void))
        expect(failed).toMatchObject({ reason: { _tag: "Closed", cause }, outcome })
      }
    })
  )
)

it.live("the input rests while nobody reads, and goes on when somebody does", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const input = new PassThrough()
      const duplex = yield* pipe(input, new PassThrough())
      const total = 5_000
      let id = 0
      while (id < total && !input.isPaused()) {
        for (let i = 0; i < 100; i++) input.write(line(ping(id++)))
        yield* turn
      }
      expect(id).toBeGreaterThan(1_000)
      expect(id).toBeLessThan(2_000)
      while (id < total) input.write(line(ping(id++)))
      input.end()
      const { frames } = yield* collect(duplex)
      expect(frames).toEqual(Array.from({ length: total }, (_, each) => ping(each)))
    })
  )
)

it.live("after the input has ended, a last line without its newline counts, and send still works", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const [input, { output, take, writes }] = [new PassThrough(), slowOutput()]
      const duplex = yield* pipe(input, output)
      input.end(JSON.stringify(ping(1)))
      expect(yield* collect(duplex)).toEqual({ frames: [ping(1)], reason: undefined })
      yield* duplex.send(ping(2))
      yield* turn
      expect(writes).toEqual([line(ping(2))])
      take()
    })
  )
)

it.live("T-02 a stream that fails is a typed failure of both ends, with its cause, and of every send that waits", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { output } = slowOutput()
      const duplex = yield* pipe(new PassThrough(), output)
      yield* duplex.send(JsonRpc.success(1, { text: "x".repeat(64 * 1024) }))
      const waiting = yield* Effect.forkChild(Effect.flip(duplex.send(ping(2))), { startImmediately: true })
      const cause = new Error("broken")
      output.destroy(cause)
      const failed = yield* Effect.timeout(Fiber.join(waiting), "5 seconds")
      expect(failed).toBeInstanceOf(TransportError)
      expect(failed).toMatchObject({ reason: { _tag: "Closed", cause }, outcome: "NotSent" })
      expect((yield* collect(duplex)).reason).toEqual({ _tag: "Closed", cause })
      expect(yield* Effect.flip(duplex.send(ping(3)))).toMatchObject({ reason: { _tag: "Closed" }, outcome: "NotSent" })
    })
  )
)

it.live("a message over the limit fails its own send, as not sent, whatever its characters, and others leave", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const output = new PassThrough()
      const messages = messagesOf(output)
      const duplex = yield* pipe(new PassThrough(), output, { messageBytes: 100 })
      const empty = JSON.stringify(JsonRpc.success(1, { t: "" })).length
      const say = (t: string) => Effect.exit(duplex.send(JsonRpc.success(1, { t })))
      const refused = { _tag: "Fail", error: { reason: { _tag: "TooLarge", limit: 100 }, outcome: "NotSent" } }
      const room = 100 - empty
      expect(yield* say("x".repeat(room + 1))).toMatchObject({ cause: { reasons: [refused] } })
      expect(yield* say("é".repeat(room / 2 + 1))).toMatchObject({ cause: { reasons: [refused] } })
      expect(yield* say("x".repeat(room))).toStrictEqual(Exit.void)
      expect(yield* say("é".repeat(Math.floor(room / 2)))).toStrictEqual(Exit.void)
      yield* turn
      expect(messages.length).toBe(2)
    })
  )
)

it.live("a flood of lines leaves timers their turn", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const chunk = bytes("y\n".repeat(32 * 1024))
      let reads = 0
      const input = new Readable({
        read() {
          reads++
          this.push(reads < 2000 ? chunk : null)
        }
      })
      const duplex = yield* pipe(input, new PassThrough())
      yield* Effect.forkChild(Stream.runDrain(Stream.fromPull(duplex.incoming)), { startImmediately: true })
      yield* Effect.sleep(1)
      expect(reads).toBeLessThan(100)
    })
  )
)

it.live("a message that is no JSON is a defect of its own send", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { output, take, writes } = slowOutput()
      const duplex = yield* pipe(new PassThrough(), output)
      const exit = yield* Effect.exit(duplex.send(JsonRpc.success(1, { value: 1n })))
      expect(Exit.isFailure(exit) && exit.cause.reasons.map(({ _tag }) => _tag)).toEqual(["Die"])
      yield* duplex.send(ping(2))
      yield* turn
      expect(writes).toEqual([line(ping(2))])
      take()
    })
  )
)

it.live("closing writes what was handed over, and lets go of both streams without ending them", () =>
  Effect.gen(function* () {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const answers = messagesOf(output)
    const scope = yield* Scope.make()
    const duplex = yield* Scope.provide(pipe(input, output), scope)
    yield* duplex.send(ping(1))
    yield* Effect.timeout(Scope.close(scope, Exit.void), "5 seconds")
    yield* turn
    expect(answers).toEqual([ping(1)])
    expect(["data", "end", "close", "error"].map((event) => input.listenerCount(event))).toEqual([0, 0, 0, 0])
    expect(output.listenerCount("drain") + output.listenerCount("close") + output.listenerCount("error")).toBe(0)
    expect(input.destroyed || output.writableEnded).toBe(false)
    expect(yield* Effect.flip(duplex.send(ping(2)))).toMatchObject({ outcome: "NotSent" })
    expect((yield* collect(duplex)).reason).toEqual({ _tag: "Closed" })
  })
)
