import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { weightOf } from "../Frame.ts"
import * as Inbox from "../Inbox.ts"
import type { Notification, Request } from "../JsonRpc.ts"
import { limits } from "../Limits.ts"
import { TransportError } from "../TransportError.ts"
import { isDroppable } from "./Exchanges.ts"

export interface Options {
  /** Messages that have not been read yet. */
  readonly unread: number
  /** Whether an exchange of ours waits for what comes behind them. */
  readonly isAwaited: () => boolean
  /** Told of the n-th message that was dropped. */
  readonly onDrop: (n: number) => void
  /** Told once there are too many, and nobody reads at all. */
  readonly onOverflow: (error: TransportError) => void
}

/** What the peer says outside any exchange of ours, held until somebody reads it. */
export const make = ({ isAwaited, onDrop, onOverflow, unread }: Options) => {
  let isRead = false
  let isOverrun = false
  let onRoom: (() => void) | undefined
  let bytes = 0
  let dropped = 0
  let before = 0
  const inbox = Inbox.make<Request | Notification, TransportError>(() => {
    isRead = true
    isOverrun = false
    const go = onRoom
    onRoom = undefined
    go?.()
  })
  const read = Effect.callback<void>((resume) => {
    onRoom = () => resume(Effect.void)
    return Effect.sync(() => {
      onRoom = undefined
    })
  })
  /** The wire waits with the reader; only when that holds up exchanges of ours for a second is the rest dropped. */
  const room: Effect.Effect<void> = Effect.suspend(() => {
    if (inbox.size() === 0) return Effect.void
    return Effect.flatMap(Effect.timeoutOption(read, limits.farewellMs), (isThere) => {
      if (Option.isSome(isThere)) return Effect.void
      isOverrun = isAwaited()
      return isOverrun ? Effect.void : room
    })
  })

  return {
    incoming: inbox.incoming,
    flush: inbox.flush,
    end: inbox.end,
    room,
    /** Takes a message in; false when it has to wait for `room`. */
    receive: (message: Request | Notification): boolean => {
      if (inbox.size() === 0) bytes = 0
      const isFull = inbox.size() >= unread || bytes > limits.unreadBytes
      if (isFull && !inbox.drop(isDroppable)) {
        if (!isRead) onOverflow(TransportError.make({ _tag: "Overflow", limit: unread }))
        else if (!isOverrun) return false
        else onDrop(++dropped)
        return true
      }
      bytes += weightOf(message)
      inbox.push(message)
      return true
    },
    /** Whether the reader only needs the processor: it is behind, and less so than the last time. */
    isLagging: (): boolean => {
      const now = inbox.size()
      const lagging = now > unread / 2 && (before === 0 || now < before)
      before = lagging ? now : 0
      return lagging
    }
  }
}
