import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { RequestId } from "../JsonRpc.ts"
import { limits } from "../Limits.ts"
import type { TransportError } from "../TransportError.ts"

/** About how many bytes a message about `id` takes. */
export const weightOfId = (id: RequestId | null | undefined): number => 128 + (typeof id === "string" ? id.length : 0)

type Said = Effect.Effect<void, TransportError>
type Run = (effect: Said) => Fiber.Fiber<void, TransportError>

/**
 * Says what nobody waits for: refusals, errors for what is no message, cancels. What the wire has no room for is held
 * and goes out in order, one at a time, so that a peer that does not read holds up neither reading nor callers.
 *
 * Over 8 MiB of it, what comes next waits for room for a second; while there is none after that, it is left unsaid.
 */
export const make = (run: Run) => {
  let held: Array<{ readonly said: Said; readonly bytes: number }> = []
  let at = 0
  let bytes = 0
  let isSaying = false
  let isStuck = false
  const onRoom = new Set<() => void>()
  const onDone = new Set<() => void>()

  const hasRoom = (): boolean => bytes < limits.laterBytes
  const isDone = (): boolean => !isSaying && at === held.length
  const wake = (waiters: Set<() => void>): void => {
    for (const go of waiters) {
      waiters.delete(go)
      go()
    }
  }
  const waitIn = (waiters: Set<() => void>, isOver: () => boolean): Effect.Effect<void> =>
    Effect.callback((resume) => {
      // its fiber may have given up its turn since it looked
      if (isOver()) return resume(Effect.void)
      const go = (): void => resume(Effect.void)
      waiters.add(go)
      return Effect.sync(() => waiters.delete(go))
    })
  const isSaid = (said: Said): boolean => {
    const fiber = run(said)
    if (fiber.pollUnsafe() !== undefined) return true
    isSaying = true
    fiber.addObserver(() => {
      isSaying = false
      goOn()
    })
    return false
  }
  const goOn = (): void => {
    for (let next = held[at]; next !== undefined; next = held[at]) {
      at++
      bytes -= next.bytes
      if (!isSaid(next.said)) break
    }
    if (at === held.length || at > 1024) {
      held = held.slice(at)
      at = 0
    }
    if (hasRoom()) {
      isStuck = false
      wake(onRoom)
    }
    if (isDone()) wake(onDone)
  }
  const hold = (said: Said, weight: number): void => {
    held.push({ said, bytes: weight })
    bytes += weight
  }

  return {
    /** `weight` is about how many bytes it holds on to. What it gives back, if anything, waits for room. */
    say: (said: Said, weight = weightOfId(undefined)): Effect.Effect<void> | undefined => {
      if (isDone()) {
        isSaid(said)
        return undefined
      }
      if (hasRoom()) {
        hold(said, weight)
        return undefined
      }
      if (isStuck) return undefined
      return Effect.timeoutOrElse(
        Effect.map(waitIn(onRoom, hasRoom), () => hold(said, weight)),
        {
          duration: limits.farewellMs,
          orElse: () => {
            isStuck = true
            return Effect.void
          }
        }
      )
    },
    /** Completes when nothing is held any more. */
    done: Effect.suspend(() => (isDone() ? Effect.void : waitIn(onDone, isDone)))
  }
}
