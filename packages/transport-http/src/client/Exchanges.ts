import type { JsonRpc, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

interface Entry {
  readonly fail: (error: TransportError) => void
}

/** Exchanges that are open: each runs in a fiber of its own, so that it can be ended from outside. */
export class Exchanges {
  private readonly open = new Map<JsonRpc.RequestId, Entry>()
  private closed: TransportError | undefined

  /** Why nothing is sent any more, if so. */
  refusal(): TransportError | undefined {
    return this.closed
  }

  run(id: JsonRpc.RequestId, exchange: Effect.Effect<JsonRpc.Response, TransportError>): typeof exchange {
    return Effect.withFiber((caller) => {
      if (this.closed !== undefined) return Effect.fail(this.closed)
      return Effect.callback((resume) => {
        const fiber = Effect.runForkWith(caller.context)(exchange)
        const exit = fiber.pollUnsafe()
        if (exit !== undefined) return resume(exit)
        const entry = {
          fail: (error: TransportError): void => {
            this.forget(id, entry)
            resume(Effect.fail(error))
            fiber.interruptUnsafe()
          }
        }
        this.open.set(id, entry)
        fiber.addObserver((exit) => {
          this.forget(id, entry)
          resume(exit)
        })
        return Effect.suspend(() => {
          this.forget(id, entry)
          return Fiber.interrupt(fiber)
        })
      })
    })
  }

  /** Fails one, whatever it waits for. */
  abandon(id: JsonRpc.RequestId, error: TransportError): void {
    this.open.get(id)?.fail(error)
  }

  /** Fails all of them, and takes no more. */
  close(error: TransportError): void {
    this.closed ??= error.withOutcome("NotSent")
    for (const entry of this.open.values()) entry.fail(error)
  }

  private forget(id: JsonRpc.RequestId, entry: Entry): void {
    if (this.open.get(id) === entry) this.open.delete(id)
  }
}
