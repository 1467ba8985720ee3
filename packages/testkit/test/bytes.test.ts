import { JsonRpc, Lines, Peer, TransportError } from "@effective-mcp/protocol"
import { type BytePipe, Faults, Fixture, overBytes, TransportContract } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as References from "effect/References"
import * as Stream from "effect/Stream"

type Ending = TransportError | Cause.Done
type Way = Queue.Queue<Uint8Array, Ending>

const closed = TransportError.make({ _tag: "Closed" }, "NotSent")

/** Two ends of a pipe of bytes, in memory: every write arrives in two reads, cut where no line ends. */
const bytePair = Effect.gen(function* () {
  const there = yield* Queue.bounded<Uint8Array, Ending>(16)
  const back = yield* Queue.bounded<Uint8Array, Ending>(16)
  const end = (out: Way, into: Way): Required<BytePipe> => ({
    incoming: Stream.fromQueue(into),
    send: (bytes) =>
      Effect.flatMap(Queue.offerAll(out, [bytes.subarray(0, 5), bytes.subarray(5)]), (left) =>
        left.length === 0 ? Effect.void : Effect.fail(closed)
      ),
    close: Effect.sync(() => {
      Queue.endUnsafe(out)
      Queue.endUnsafe(into)
    })
  })
  const [near, far] = [end(there, back), end(back, there)]
  yield* Effect.addFinalizer(() => Effect.andThen(near.close, far.close))
  return [near, far] as const
})

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (chunk: Uint8Array): string => new TextDecoder().decode(chunk)
const line = (method: string): string => Lines.encode(JsonRpc.notification(method))

describe("a duplex over bytes keeps the contract", () => {
  const makePair: TransportContract.MakePair = Effect.fnUntraced(function* (fixture) {
    const [near, far] = yield* bytePair
    yield* Effect.forkScoped(Effect.ignore(Effect.ensuring(Peer.host(overBytes(far), fixture), far.close)))
    return { ...(yield* Peer.make(overBytes(near))), goAway: far.close }
  })
  for (const { check, name } of TransportContract.cases(makePair)) it.live(name, () => check)
})

describe("a pipe of bytes with faults", () => {
  const reach = Effect.fnUntraced(function* (...rules: ReadonlyArray<Faults.Rule>) {
    const [near, far] = yield* bytePair
    return { near: { ...near, ...(yield* Faults.make({ rules }).wrapBytes(near)) }, far }
  })

  it.effect("cuts a line in the middle, keeps its newline, and the engine reads on", () =>
    Effect.gen(function* () {
      for (const direction of ["in", "out"] as const) {
        const { far, near } = yield* reach({ when: { direction, nth: 1 }, do: { _tag: "Half" } })
        yield* Effect.forkScoped(Effect.ignore(Peer.host(overBytes(far), yield* Fixture.make)))
        const peer = yield* Peer.make(overBytes(near))
        const echo = (id: number) => peer.exchange(JsonRpc.request(id, "echo", { id }), () => Effect.void)
        const cut = yield* Effect.forkScoped(echo(1), { startImmediately: true })
        expect(yield* echo(2)).toStrictEqual(JsonRpc.success(2, { id: 2 }))
        expect(cut.pollUnsafe()).toBe(undefined)
      }
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  )

  it.effect("writes half a line as half a line", () =>
    Effect.gen(function* () {
      const { far, near } = yield* reach({ when: { method: "cut" }, do: { _tag: "Half" } })
      // where the writes begin and end must not matter
      const all = bytes(line("before") + line("cut") + line("after"))
      for (let at = 0; at < all.length; at += 7) yield* near.send(all.subarray(at, at + 7))
      yield* near.close
      const lines = (yield* Stream.runCollect(far.incoming)).map(text).join("").split("\n")
      expect([lines[0], lines[2], lines[3]]).toStrictEqual([line("before").trim(), line("after").trim(), ""])
      expect(line("cut").startsWith(lines[1]!)).toBe(true)
      expect(lines[1]?.length).toBe(line("cut").length >> 1)
    })
  )

  it.effect("loses and repeats lines, and lets what is no message pass", () =>
    Effect.gen(function* () {
      const { far, near } = yield* reach(
        { when: { method: "lost" }, do: { _tag: "Drop" } },
        { when: { method: "twice" }, do: { _tag: "Duplicate" } }
      )
      yield* far.send(bytes(`a banner\n${line("lost")}${line("twice")}\n${line("last").trimEnd()}`))
      yield* far.close
      const heard = (yield* Stream.runCollect(near.incoming)).map(text)
      expect(heard).toStrictEqual(["a banner\n", line("twice"), line("twice"), "\n", line("last").trimEnd()])
    })
  )

  it.effect("is reset at both ends", () =>
    Effect.gen(function* () {
      const { far, near } = yield* reach({ when: { method: "last" }, do: { _tag: "Reset" } })
      const reading = yield* Effect.forkScoped(Effect.flip(Stream.runDrain(near.incoming)), { startImmediately: true })
      yield* near.send(bytes(line("last")))
      expect(yield* Fiber.join(reading)).toMatchObject({ reason: { _tag: "Closed" }, outcome: "Unknown" })
      expect(yield* Effect.flip(near.send(bytes(line("next"))))).toMatchObject({ outcome: "NotSent" })
      expect(yield* Stream.runCollect(far.incoming)).toStrictEqual([])
    })
  )

  it.effect("does not keep a line without an end, and gives what came before it", () =>
    Effect.gen(function* () {
      const { far, near } = yield* reach()
      const chunk = new Uint8Array(1 << 20).fill(120)
      for (let i = 0; i < 4; i++) yield* near.send(chunk)
      expect(yield* Effect.flip(near.send(Uint8Array.of(120, 120)))).toMatchObject({ reason: { _tag: "TooLarge" } })
      yield* far.send(bytes(line("before") + "x".repeat(5 << 20)))
      const heard: Array<string> = []
      const read = Stream.runForEach(near.incoming, (one) => Effect.sync(() => heard.push(text(one))))
      expect(yield* Effect.flip(read)).toMatchObject({ reason: { _tag: "TooLarge" } })
      expect(heard).toStrictEqual([line("before")])
    })
  )
})
