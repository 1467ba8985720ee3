import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import {
  type Connection,
  type Duplex,
  Frame,
  Inbox,
  JsonRpc,
  type Listener,
  type Reason,
  type TransportError
} from "@effective-mcp/protocol"

type Written = JsonRpc.Message | ReadonlyArray<JsonRpc.Response>

export const { failure, notification, request, success } = JsonRpc

/** A duplex whose other end is the test. */
export interface Script {
  readonly duplex: Duplex
  /** One read: the pipe has heard all of it, and acted on it as far as nothing waits, when this returns. */
  readonly say: (...frames: ReadonlyArray<Frame.Frame>) => Effect.Effect<void>
  /** The other side closes its end, or the wire fails. */
  readonly end: (error?: TransportError) => Effect.Effect<void>
  /** All that was written so far. */
  readonly sent: Array<Written>
  /** The next thing written, once it is. */
  readonly next: Effect.Effect<Written>
  /** What a write waits for, or fails with, before it counts. */
  writing: (message: Written) => Effect.Effect<void, TransportError>
}

export const script: Effect.Effect<Script> = Effect.gen(function* () {
  const inbox = Inbox.make<Frame.Frame, TransportError>()
  const written = yield* Queue.unbounded<Written>()
  const self: Script = {
    duplex: {
      incoming: inbox.incoming,
      send: (message) =>
        Effect.andThen(
          Effect.suspend(() => self.writing(message)),
          Effect.sync(() => {
            self.sent.push(message)
            Queue.offerUnsafe(written, message)
          })
        )
    },
    say: (...frames) =>
      Effect.sync(() => {
        for (const frame of frames) inbox.push(frame)
        inbox.flush()
      }),
    end: (error) => Effect.sync(() => inbox.end(error)),
    sent: [],
    next: Queue.take(written),
    writing: () => Effect.void
  }
  return self
})

export const deaf: Listener = () => Effect.void

/** What a text on the wire is read as. */
export const frame = (text: string): Frame.Frame => Frame.fromText(text)

export const progress = (id: JsonRpc.RequestId, n: number): JsonRpc.Notification =>
  notification("notifications/progress", { progressToken: id, progress: n })

/** Something that no newer one makes up for. */
export const updated = (id: JsonRpc.RequestId, n: number): JsonRpc.Notification =>
  notification("notifications/resources/updated", {
    uri: `x:${n}`,
    _meta: { "io.modelcontextprotocol/subscriptionId": id }
  })

export const cancelled = (requestId: unknown): JsonRpc.Notification =>
  notification("notifications/cancelled", { requestId })

/** Begins an exchange: its request is written, if the wire takes it, when this returns. */
export const begin = (peer: Connection, asked: JsonRpc.Request, listener: Listener = deaf) =>
  Effect.forkScoped(Effect.exit(peer.exchange(asked, listener)), { startImmediately: true })

/**
 * Returns when all that the wire said before has been taken in: the answer to an exchange of its own comes after it. The
 * second comes after what the last slice of a read still owes, such as answers to what is no message.
 */
export const settled = Effect.fnUntraced(function* (peer: Connection, wire: Script) {
  for (const id of ["barrier 1", "barrier 2"]) {
    const barrier = yield* begin(peer, request(id, "x"))
    yield* wire.say(success(id, {}))
    yield* Fiber.join(barrier)
  }
})

/** A listener that waits until it is opened, and what it has heard. */
export const gated = Effect.gen(function* () {
  const gate = yield* Deferred.make<void>()
  const heard: Array<JsonRpc.Notification | JsonRpc.Request> = []
  const listener: Listener = (said) =>
    Effect.andThen(
      Deferred.await(gate),
      Effect.sync(() => {
        heard.push(said)
      })
    )
  return { heard, listener, open: Effect.asVoid(Deferred.succeed(gate, undefined)) }
})

/** The text of all that is logged while the effect runs, instead of its being printed. */
export const logged = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<readonly [A, ReadonlyArray<string>], E, R> =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const logger = Logger.make(({ cause, message }) => {
      const parts = [message].flat().map((part) => (part instanceof Error ? String(part) : JSON.stringify(part)))
      lines.push([...parts, Cause.pretty(cause)].join(" "))
    })
    return Effect.map(Effect.provide(effect, Logger.layer([logger])), (value) => [value, lines] as const)
  })

/** A failed exit with a `TransportError` in it, for `toMatchObject`. */
export const failedWith = (reason: { readonly _tag: Reason["_tag"]; readonly limit?: number }, outcome?: string) => ({
  _tag: "Failure",
  cause: { reasons: [{ _tag: "Fail", error: { _tag: "TransportError", reason, ...(outcome && { outcome }) } }] }
})
