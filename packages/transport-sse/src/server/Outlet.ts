import { EventStream, type HttpResponse, jsonText, type KeepAlive } from "@effective-mcp/http"
import { type Duplex, limits, TransportError, weigh } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { SLICE, slices } from "./slices.ts"

export interface Options {
  readonly messageBytes: number
  /** Beats for readers that others wait for. */
  readonly stalled: KeepAlive.KeepAlive
  readonly run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  /** Told of each message that has been handed over. */
  readonly onSend: () => void
  /** Told once, when more waits for the reader than may. */
  readonly onOverflow: (error: TransportError) => void
}

/** Writes one stream, no faster than it is read: what waits for the reader has not been written out yet. */
export class Outlet {
  private readonly response: HttpResponse
  private readonly options: Options
  /** What is to be said, and about how many bytes of it there are. */
  private readonly waiting = new Map<() => void, number>()
  private bytes = 0
  /** What may begin once nothing is to be said. */
  private readonly later = new Set<() => void>()
  private isFull = false
  private failure: TransportError | undefined
  /** Characters that the reader has taken since the last beat, and whether too much waited for it then. */
  private taken = 0
  private wasBehind = false

  constructor(response: HttpResponse, options: Options) {
    this.response = response
    this.options = options
  }

  /** Begins the stream with where messages are to be sent. */
  begin(endpoint: string): void {
    this.response.head(200, EventStream.headers)
    this.write(EventStream.encode({ event: "endpoint", data: endpoint }))
  }

  /** Hands over the whole message or, when interrupted, nothing. */
  readonly send: Duplex["send"] = (message) => Effect.suspend(() => this.put(message))

  /** Waits while anything waits to be said: one after the other, so that what begins has said its word before the next. */
  readonly turn: Effect.Effect<void> = Effect.suspend(() => (this.isFree() ? Effect.void : this.inTurn))

  /** Waits until what was handed over has been taken, but for what a connection holds of it. */
  readonly flushed: Effect.Effect<void> = Effect.suspend(() =>
    this.isFull && this.failure === undefined ? Effect.flatMap(this.room(0), () => this.flushed) : Effect.void
  )

  /** Whether nothing waits for the reader. */
  isFree(): boolean {
    return !this.isFull && this.waiting.size === 0
  }

  /** Says nothing, to keep a silent stream open; one that is not read is not silent. */
  comment(): void {
    if (!this.isFull) this.response.offer(EventStream.comment)
  }

  /** Two in a row with much waiting are too long, where the reader has taken next to nothing in between. */
  beat(): void {
    const isBehind = this.bytes > limits.behindBytes
    if (isBehind && this.wasBehind && this.taken < limits.behindPaceBytes) this.overflow()
    this.wasBehind = isBehind
    this.taken = 0
  }

  /** Takes nothing more. */
  fail(error: TransportError): void {
    this.failure ??= error.withOutcome("NotSent")
    this.wake()
  }

  private put(message: Parameters<Duplex["send"]>[0]): Effect.Effect<void, TransportError> {
    const { messageBytes, onSend } = this.options
    if (this.failure !== undefined) return Effect.fail(this.failure)
    if (this.isFull) return Effect.flatMap(this.room(weigh(message)), () => this.put(message))
    const data = jsonText(message, messageBytes)
    if (typeof data !== "string") return Effect.fail(data)
    this.write(EventStream.encode({ event: "message", data }))
    onSend()
    return Effect.void
  }

  private room(bytes: number): Effect.Effect<void> {
    return Effect.callback((resume) => {
      // its fiber may have given up its turn since it looked
      if (!this.isFull) return resume(Effect.void)
      if (this.waiting.size >= limits.mailbox) this.overflow()
      const go = (): void => resume(Effect.void)
      this.waiting.set(go, bytes)
      this.bytes += bytes
      if (this.failure !== undefined) this.wake()
      return Effect.sync(() => this.leave(go))
    })
  }

  private leave(go: () => void): void {
    this.bytes -= this.waiting.get(go) ?? 0
    this.waiting.delete(go)
  }

  private readonly inTurn = Effect.callback<void>((resume) => {
    if (this.isFree()) return resume(Effect.void)
    const go = (): void => resume(Effect.void)
    this.later.add(go)
    return Effect.sync(() => this.later.delete(go))
  })

  private write(text: string): void {
    const { run, stalled } = this.options
    const isLong = text.length > SLICE
    const put = (part: string) => this.response.write(part, stalled)
    const writing = isLong ? slices(text, put, this.onTaken) : put(text)
    if (Exit.isExit(writing)) return
    const fiber = run(writing)
    if (fiber.pollUnsafe() !== undefined) return
    this.isFull = true
    fiber.addObserver(() => {
      if (!isLong) this.onTaken(text.length)
      this.isFull = false
      this.wake()
    })
  }

  private readonly onTaken = (size: number): void => {
    this.taken += size
  }

  private wake(): void {
    for (const [go, bytes] of this.waiting) {
      if (this.isFull && this.failure === undefined) return
      this.waiting.delete(go)
      this.bytes -= bytes
      go()
    }
    for (const go of this.later) {
      if (!this.isFree() || this.failure !== undefined) return
      this.later.delete(go)
      go()
    }
  }

  private overflow(): void {
    if (this.failure !== undefined) return
    const error = TransportError.make({ _tag: "Overflow", limit: limits.mailbox })
    this.fail(error)
    this.options.onOverflow(error)
  }
}
