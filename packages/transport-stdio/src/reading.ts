import { type Frame, Inbox, type Incoming, limits, Lines, TransportError } from "@effective-mcp/protocol"
import type { Input } from "./streams.ts"

/** What bounds one message that is read. */
export interface FrameLimits {
  /** The longest line, in bytes. Default 4 MiB. */
  readonly messageBytes?: number | undefined
  /** The deepest nesting of one message. Default 64. */
  readonly depth?: number | undefined
}

export interface Reading {
  readonly incoming: Incoming<Frame.Frame>
  /** Reads no more. After what was read before, `incoming` ends, or fails with `error`. */
  readonly end: (error?: TransportError) => void
  /** Listens no more, not even to the stream's errors. */
  readonly detach: () => void
  /** How many bytes have come so far. */
  readonly bytes: () => number
}

const encoder = new TextEncoder()

/**
 * Reads frames off a stream, and pauses it while nobody takes them. `onEnd` is told once when nothing more can come:
 * without an error when the other side has closed its end. It must then call `end`.
 */
export const read = (input: Input, limit: FrameLimits, onEnd: (error?: TransportError) => void): Reading => {
  const { messageBytes = limits.messageBytes } = limit
  const splitter = Lines.splitter(limit)
  let total = 0
  let unreadBytes = 0
  let isPaused = false
  let isOver = false

  const inbox = Inbox.make<Frame.Frame, TransportError>(() => {
    unreadBytes = 0
    if (!isPaused || isOver) return
    isPaused = false
    input.resume()
  })
  const stop = (): void => {
    isOver = true
    for (const [event, listener] of listeners) input.off(event, listener)
    input.pause()
  }
  const finish = (error?: TransportError): void => {
    if (isOver) return
    stop()
    onEnd(error)
  }
  const refuse = (): void => finish(TransportError.make({ _tag: "TooLarge", limit: messageBytes }))
  const onData = (chunk: Uint8Array | string): void => {
    const bytes = typeof chunk === "string" ? encoder.encode(chunk) : chunk
    total += bytes.length
    unreadBytes += bytes.length
    let frames = 0
    const isWhole = splitter.push(bytes, (frame) => {
      frames++
      inbox.push(frame)
    })
    inbox.flush()
    if (!isWhole) return refuse()
    if (frames > limits.unread) rest()
    if (inbox.size() === 0) unreadBytes = 0
    else if (!isOver && (inbox.size() > limits.unread || unreadBytes > messageBytes)) {
      isPaused = true
      input.pause()
    }
  }
  /** After a flood, timers and other streams get their turn before more is read. */
  const rest = (): void => {
    if (isOver || isPaused) return
    input.pause()
    setTimeout(() => {
      if (!isOver && !isPaused) input.resume()
    }, 0)
  }
  const onLast = (): void => (splitter.end(inbox.push) ? finish() : refuse())
  const onError = (cause: unknown): void => finish(TransportError.make({ _tag: "Closed", cause }))
  const onClose = (): void =>
    input.readableEnded === true ? finish() : finish(TransportError.make({ _tag: "Closed" }))

  const listeners = [
    ["data", onData],
    ["end", onLast],
    ["close", onClose]
  ] as const
  for (const [event, listener] of listeners) input.on(event, listener)
  // apart: an error that comes later, when nobody listens to it, would be uncaught
  input.on("error", onError)
  // a stream that is over says so no more; in a microtask, so that the caller has what it needs to end
  if (input.readableEnded === true || input.destroyed === true) queueMicrotask(onClose)

  return {
    incoming: inbox.incoming,
    detach: () => void input.off("error", onError),
    bytes: () => total,
    end: (error) => {
      if (!isOver) stop()
      inbox.end(error)
    }
  }
}
