import { type Duplex, Frame, type Host, limits, Peer, type Reason, TransportError } from "@effective-mcp/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Queue from "effect/Queue"
import type { WebSocketServer } from "ws"

/** What the WebSockets of browsers, of Node, Bun and Deno, and of `ws` have in common. */
interface Socket {
  readonly readyState: number
  readonly bufferedAmount: number
  send(text: string): void
  close(): void
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: "open" | "close" | "error", listener: () => void): void
}

const encoder = new TextEncoder()
const OPEN = 1
const UNREAD = 16_384
const FULL = 1024 * 1024

/** The limit is in bytes; they are counted only where the characters leave it open. */
const isTooLong = (text: string): boolean =>
  text.length > limits.messageBytes ||
  (text.length * 3 > limits.messageBytes && encoder.encode(text).length > limits.messageBytes)

/** One message per text frame; the scope owns the socket. */
const duplex = Effect.fnUntraced(function* (socket: Socket) {
  const read = yield* Queue.bounded<Frame.Frame, TransportError | Cause.Done>(UNREAD)
  const fail = (reason: Reason) => {
    Queue.failCauseUnsafe(read, Cause.fail(TransportError.make(reason)))
    socket.close()
  }
  socket.addEventListener("message", ({ data }) => {
    const text = String(data)
    if (isTooLong(text)) fail({ _tag: "TooLarge", limit: limits.messageBytes })
    else if (!Queue.offerUnsafe(read, Frame.fromText(text))) fail({ _tag: "Overflow", limit: UNREAD })
  })
  socket.addEventListener("close", () => Queue.endUnsafe(read))
  socket.addEventListener("error", () => {}) // "close" follows
  yield* Effect.addFinalizer(() => Effect.sync(() => socket.close()))

  const send: Duplex["send"] = (message) =>
    Effect.suspend(() => {
      if (socket.readyState !== OPEN) return Effect.fail(TransportError.make({ _tag: "Closed" }, "NotSent"))
      // a WebSocket does not tell when it has room again
      if (socket.bufferedAmount > FULL) return Effect.delay(send(message), 5)
      const text = JSON.stringify(message)
      if (isTooLong(text)) {
        return Effect.fail(TransportError.make({ _tag: "TooLarge", limit: limits.messageBytes }, "NotSent"))
      }
      return Effect.sync(() => socket.send(text))
    })
  return { incoming: Effect.succeed(Queue.takeAll(read)), send }
})

/** Connects to a server at a `ws:` or `wss:` address. */
export const connect = Effect.fnUntraced(function* (url: string) {
  const socket = new WebSocket(url)
  const wire = yield* duplex(socket)
  yield* Effect.callback<void, TransportError>((resume) => {
    const nobody = TransportError.make(
      { _tag: "Unreachable", what: `no WebSocket server answers at ${url}` },
      "NotSent"
    )
    socket.addEventListener("open", () => resume(Effect.void))
    socket.addEventListener("close", () => resume(Effect.fail(nobody)))
  })
  return yield* Peer.make(wire)
})

/** Serves a host to every client of a WebSocket server, for as long as the scope is open. */
export const serve = Effect.fnUntraced(function* <R>(server: WebSocketServer, host: Host<R>) {
  const run = yield* FiberSet.makeRuntime<R>()
  server.on("connection", (socket) => {
    run(Effect.scoped(Effect.flatMap(duplex(socket), (wire) => Peer.host(wire, host))))
  })
})
