import { EventStream, type HttpResponse, jsonText } from "@effective-mcp/http"
import { type Duplex, limits, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"

export interface Options {
  readonly messageBytes: number
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
  private readonly waiting = new Set<() => void>()
  private isFull = false
  private failure: TransportError | undefined
  /** Beats since the reader has last taken anything. */
  private stuck = 0

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

  /** Says nothing, to keep a silent stream open. */
  comment(): void {
    this.response.offer(EventStream.comment)
  }

  /** Two in a row without the reader having taken anything are too long, where something waits for that. */
  beat(): void {
    if (!this.isFull) this.stuck = 0
    else if (++this.stuck >= 2) this.overflow()
  }

  /** Takes nothing more. */
  fail(error: TransportError): void {
    this.failure ??= error.withOutcome("NotSent")
    this.wake()
  }

  private put(message: Parameters<Duplex["send"]>[0]): Effect.Effect<void, TransportError> {
    const { messageBytes, onSend } = this.options
    if (this.failure !== undefined) return Effect.fail(this.failure)
    if (this.isFull) return Effect.flatMap(this.room(), () => this.put(message))
    const data = jsonText(message, messageBytes)
    if (typeof data !== "string") return Effect.fail(data)
    this.write(EventStream.encode({ event: "message", data }))
    onSend()
    return Effect.void
  }

  private room(): Effect.Effect<void> {
    return Effect.callback((resume) => {
      // its fiber may have given up its turn since it looked
      if (!this.isFull) return resume(Effect.void)
      if (this.waiting.size >= limits.mailbox) this.overflow()
      const go = (): void => resume(Effect.void)
      this.waiting.add(go)
      if (this.failure !== undefined) this.wake()
      return Effect.sync(() => this.waiting.delete(go))
    })
  }

  private write(text: string): void {
    const writing = this.response.write(text)
    if (Exit.isExit(writing)) return
    const fiber = this.options.run(writing)
    if (fiber.pollUnsafe() !== undefined) return
    this.isFull = true
    fiber.addObserver(() => {
      this.isFull = false
      this.stuck = 0
      this.wake()
    })
  }

  private wake(): void {
    for (const go of this.waiting) {
      if (this.isFull && this.failure === undefined) return
      this.waiting.delete(go)
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
