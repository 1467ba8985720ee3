import * as Effect from "effect/Effect"

/** Writers that wait until their reader has taken something, or has left. */
export class Room {
  private waiting = new Set<() => void>()

  /** Waits for `wake`; not at all where there is room by now, since a fiber may have yielded after it found none. */
  wait(hasRoom: () => boolean): Effect.Effect<void> {
    return Effect.callback((resume) => {
      if (hasRoom()) return resume(Effect.void)
      const go = (): void => resume(Effect.void)
      const mine = this.waiting.add(go)
      return Effect.sync(() => mine.delete(go))
    })
  }

  readonly wake = (): void => {
    const all = this.waiting
    // whoever wakes may wait again at once
    this.waiting = new Set()
    for (const go of all) go()
  }
}
