import * as Effect from "effect/Effect"
import type { Beating, KeepAlive } from "./KeepAlive.ts"

/**
 * Writers that wait until their reader has taken something, or has left. From the first that waits with a `patience` until
 * then that is counted: a reader that takes nothing between two beats of it takes too long.
 */
export class Room implements Beating {
  private readonly onStall: () => void
  private waiting = new Set<() => void>()
  private patience: KeepAlive | undefined
  private beats = 0

  /** `onStall` lets the reader go. */
  constructor(onStall: () => void) {
    this.onStall = onStall
  }

  /** Waits for `wake`; not at all where there is room by now, since a fiber may have yielded after it found none. */
  wait(hasRoom: () => boolean, patience: KeepAlive | undefined): Effect.Effect<void> {
    return Effect.callback((resume) => {
      if (hasRoom()) return resume(Effect.void)
      this.watch(patience)
      const go = (): void => resume(Effect.void)
      const mine = this.waiting.add(go)
      return Effect.sync(() => mine.delete(go))
    })
  }

  beat(): void {
    if (++this.beats < 2) return
    this.forget()
    this.onStall()
  }

  /** The reader has taken something, or has left. */
  readonly wake = (): void => {
    this.forget()
    this.release()
  }

  /** Nobody waits any more; whether the reader takes what there is, still counts. */
  release(): void {
    const all = this.waiting
    // whoever wakes may wait again at once
    this.waiting = new Set()
    for (const go of all) go()
  }

  private watch(patience: KeepAlive | undefined): void {
    if (this.patience !== undefined || patience === undefined) return
    this.patience = patience
    this.beats = 0
    patience.add(this)
  }

  private forget(): void {
    this.patience?.remove(this)
    this.patience = undefined
  }
}
