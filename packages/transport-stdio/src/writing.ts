import { type Duplex, limits, Lines, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { FrameLimits } from "./reading.ts"
import type { Output } from "./streams.ts"

/** Characters that are written at once instead of at the end of the turn. */
const GATHERED = 64 * 1024

const encoder = new TextEncoder()

export interface Writing {
  readonly send: Duplex["send"]
  /** From now on every `send` waits, until `fail`. */
  readonly hold: () => void
  /** Every `send` that waits, and every later one, fails as not sent. Only the first failure counts. */
  readonly fail: (error: TransportError) => void
  /** Writes what was said in this turn. */
  readonly flush: () => void
  /** Completes once all that was written has left, or cannot leave any more. */
  readonly written: Effect.Effect<void>
  /** Listens no more. */
  readonly detach: () => void
}

/**
 * Writes messages, one a line; what is said in one turn leaves in one write. `onDown` is told once, with what the
 * stream says, when nothing can be written any more. It must then call `fail`, at once or after `hold`.
 */
export const write = (
  output: Output,
  { messageBytes = limits.messageBytes }: FrameLimits,
  onDown: (cause: unknown) => void
): Writing => {
  const waiting = new Set<() => void>()
  let pending = ""
  let isScheduled = false
  let isFull = false
  let isHeld = false
  let isDown = false
  let isDetached = false
  let failure: TransportError | undefined
  let inFlight = 0
  let onWritten: (() => void) | undefined

  const wake = (): void => {
    for (const go of waiting) {
      if ((isFull || isHeld) && failure === undefined) return
      waiting.delete(go)
      go()
    }
  }
  const settle = (): void => {
    if (inFlight > 0 && !isDown) return
    const done = onWritten
    onWritten = undefined
    done?.()
  }
  const goDown = (cause: unknown): void => {
    if (isDown) return
    isDown = true
    pending = ""
    settle()
    onDown(cause)
  }
  const onDrain = (): void => {
    isFull = false
    wake()
  }
  const confirm = (error?: Error | null): void => {
    inFlight -= 1
    // Bun reports the second failed write, and every later one, only here
    if (error !== undefined && error !== null) return goDown(error)
    settle()
    if (inFlight > 0) return
    if (isDetached) output.off("error", goDown)
    else if (isFull) onDrain()
  }
  const flush = (): void => {
    isScheduled = false
    if (pending === "" || isDown) return
    const text = pending
    pending = ""
    inFlight += 1
    try {
      isFull = !output.write(text, confirm)
    } catch (cause) {
      goDown(cause)
    }
  }
  const onClose = (): void => goDown(undefined)
  output.on("drain", onDrain)
  output.on("close", onClose)
  output.on("error", goDown)

  /** Without its newline; counted only when its characters leave it open. */
  const isOver = (text: string): boolean =>
    text.length - 1 > messageBytes || (text.length * 3 > messageBytes && encoder.encode(text).length - 1 > messageBytes)
  const room = Effect.callback<void>((resume) => {
    // its fiber may have given up its turn since it looked
    if (failure !== undefined || !(isFull || isHeld)) return resume(Effect.void)
    const go = (): void => resume(Effect.void)
    waiting.add(go)
    return Effect.sync(() => waiting.delete(go))
  })
  const gather = (text: string): void => {
    pending += text
    if (pending.length > GATHERED) flush()
    else if (!isScheduled) {
      isScheduled = true
      queueMicrotask(flush)
    }
  }
  /** Written out only once there is room: what waits is held once. */
  const put = (message: Parameters<Duplex["send"]>[0]): Effect.Effect<void, TransportError> => {
    if (failure !== undefined) return Effect.fail(failure)
    if (isFull || isHeld) return Effect.flatMap(room, () => put(message))
    const text = Lines.encode(message)
    if (isOver(text)) return Effect.fail(TransportError.make({ _tag: "TooLarge", limit: messageBytes }, "NotSent"))
    gather(text)
    return Effect.void
  }
  const now = (message: Parameters<Duplex["send"]>[0]): boolean => {
    if (failure !== undefined || isFull || isHeld) return false
    const text = Lines.encode(message)
    if (isOver(text)) return false
    gather(text)
    return true
  }

  return {
    send: Object.assign((message: Parameters<Duplex["send"]>[0]) => Effect.suspend(() => put(message)), { now }),
    hold: () => {
      isHeld = true
    },
    fail: (error) => {
      failure ??= error.withOutcome("NotSent")
      wake()
    },
    flush,
    written: Effect.callback((resume) => {
      onWritten = () => resume(Effect.void)
      settle()
      return Effect.sync(() => {
        onWritten = undefined
      })
    }),
    detach: () => {
      output.off("drain", onDrain)
      output.off("close", onClose)
      isDetached = true
      // while a write may still fail, and after one has, an error that nobody listens to would be uncaught
      if (inFlight === 0 && !isDown) output.off("error", goDown)
    }
  }
}
