import type { JsonRpc, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

interface Entry {
  readonly id: JsonRpc.RequestId
  /** Ends it from outside; undefined once it is over. */
  fail: ((error: TransportError) => void) | undefined
  /** Where it stands among the entries. */
  index: number
}

/** Exchanges that are open: each runs in a fiber of its own, so that it can be ended from outside. */
export class Exchanges {
  // not a Map: one that churns keeps what has been deleted for a while, which costs a third of a call
  private readonly open: Array<Entry> = []
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
        const entry: Entry = {
          id,
          fail: (error) => {
            this.forget(entry)
            resume(Effect.fail(error))
            fiber.interruptUnsafe()
          },
          index: this.open.length
        }
        this.open.push(entry)
        fiber.addObserver((exit) => {
          this.forget(entry)
          resume(exit)
        })
        return Effect.suspend(() => {
          this.forget(entry)
          return Fiber.interrupt(fiber)
        })
      })
    })
  }

  /** Fails one, whatever it waits for. */
  abandon(id: JsonRpc.RequestId, error: TransportError): void {
    this.open.find((entry) => entry.id === id)?.fail?.(error)
  }

  /** Fails all of them, and takes no more. */
  close(error: TransportError): void {
    this.closed ??= error.withOutcome("NotSent")
    for (let last = this.open.at(-1); last !== undefined; last = this.open.at(-1)) last.fail?.(error)
  }

  private forget(entry: Entry): void {
    if (entry.fail === undefined) return
    entry.fail = undefined
    const last = this.open.pop()
    if (last === undefined || last === entry) return
    this.open[entry.index] = last
    last.index = entry.index
  }
}
