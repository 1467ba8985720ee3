import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { Session } from "./Session.ts"

export interface Options {
  readonly most: number
  readonly idleMs: number
  readonly reaperMs: number
  readonly run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
}

/** The sessions of one endpoint, by id: bounded in number, and ended when nothing has been said in them for long. */
export class Sessions<R> {
  private readonly options: Options
  private readonly open = new Map<string, Session<R>>()
  private reaper: Fiber.Fiber<void> | undefined

  constructor(options: Options) {
    this.options = options
  }

  /** Whether there is room for one more, once those that have idled are gone. */
  hasRoom(): boolean {
    if (this.open.size >= this.options.most) this.reap()
    return this.open.size < this.options.most
  }

  add(session: Session<R>): void {
    this.open.set(session.id, session)
    if (this.options.idleMs !== Infinity) this.reaper ??= this.options.run(this.watch)
  }

  remove({ id }: Session<R>): void {
    this.open.delete(id)
    if (this.open.size > 0) return
    // once nothing is left there is no timer either
    this.reaper?.interruptUnsafe()
    this.reaper = undefined
  }

  find(id: string): Session<R> | undefined {
    return this.open.get(id)
  }

  /** Ends all of them, each once what it answers is answered. */
  endAll(): void {
    for (const session of this.open.values()) session.end()
  }

  private reap(): void {
    for (const session of this.open.values()) {
      if (!session.isIdle(this.options.idleMs)) continue
      this.open.delete(session.id)
      session.end()
    }
  }

  private readonly watch: Effect.Effect<void> = Effect.suspend(() =>
    Effect.sleep(Math.min(this.options.reaperMs, this.options.idleMs))
  ).pipe(
    Effect.andThen(() => {
      this.reap()
      if (this.open.size > 0) return this.watch
      this.reaper = undefined
      return Effect.void
    })
  )
}
