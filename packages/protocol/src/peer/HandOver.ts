import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Duplex } from "../Connection.ts"
import type { Message, Response } from "../JsonRpc.ts"
import { TransportError } from "../TransportError.ts"

/** What is known of one message that is being handed over. */
export interface Slot {
  /** Whether the wire has it. */
  written: boolean
  /** Takes it back; set while it waits for room. */
  letGo: ((why: TransportError) => void) | undefined
}

/**
 * Hands messages to a pipe in such a way that one that waits for room can be let go of: alone, or with all others when
 * the pipe has failed. A pipe that nobody reads would otherwise hold them for ever.
 */
export const make = (duplex: Duplex) => {
  const waiting = new Set<Slot>()
  let failure: TransportError | undefined

  const wait = (
    fiber: Fiber.Fiber<void, TransportError>,
    slot: Slot,
    resume: (exit: Effect.Effect<void, TransportError>) => void
  ): Effect.Effect<void> => {
    let error: TransportError | undefined
    slot.letGo = (why) => {
      error = why.withOutcome("NotSent")
      fiber.interruptUnsafe()
    }
    waiting.add(slot)
    fiber.addObserver((exit) => {
      waiting.delete(slot)
      slot.letGo = undefined
      slot.written = Exit.isSuccess(exit)
      resume(Exit.isFailure(exit) && error !== undefined ? Exit.fail(error) : typed(exit))
    })
    return Fiber.interrupt(fiber)
  }

  /** Only what was to be sent can make a send die. */
  const typed = (exit: Exit.Exit<void, TransportError>): Exit.Exit<void, TransportError> => {
    const died = Exit.isFailure(exit) ? exit.cause.reasons.find((reason) => reason._tag === "Die") : undefined
    return died === undefined
      ? exit
      : Exit.fail(TransportError.make({ _tag: "Unsendable", cause: died.defect }, "NotSent"))
  }

  const { now } = duplex.send
  const isHandedOver = (message: Message | ReadonlyArray<Response>, slot?: Slot): boolean => {
    if (now === undefined || failure !== undefined) return false
    try {
      if (!now(message)) return false
    } catch {
      return false // what cannot be written dies where it is sent
    }
    if (slot !== undefined) slot.written = true
    return true
  }

  const handOver = (
    message: Message | ReadonlyArray<Response>,
    slot: Slot = { written: false, letGo: undefined }
  ): Effect.Effect<void, TransportError> =>
    Effect.withFiber((caller) => {
      if (failure !== undefined) return Effect.fail(failure)
      // begun inside: whoever the message wakes may interrupt the caller before this has returned
      return Effect.callback((resume) => {
        const fiber = Effect.runForkWith(caller.context)(duplex.send(message))
        const exit = fiber.pollUnsafe()
        if (exit === undefined) return wait(fiber, slot, resume)
        slot.written = Exit.isSuccess(exit)
        return resume(typed(exit))
      })
    })

  return {
    /** Whether the wire has taken a message at once; if not, `handOver` is to follow. */
    isHandedOver,
    handOver,
    send: (message: Message | ReadonlyArray<Response>): Effect.Effect<void, TransportError> =>
      Effect.suspend(() => (isHandedOver(message) ? Effect.void : handOver(message))),
    /** Lets go of all that wait, and takes nothing more. */
    fail: (why: TransportError): void => {
      failure ??= why.withOutcome("NotSent")
      for (const slot of waiting) slot.letGo?.(failure)
    }
  }
}
