import { limits } from "@effective-mcp/protocol/Limits"

const { bodyPaceBytes: PACE, bodyPaceMs: PACE_MS, smallBodyBytes: SMALL } = limits

/** Ends the reading of a body whose room others need. It stands for the body, too: each has one of its own. */
export type Cut = (reason: "Busy") => void

/** All bodies that an endpoint receives at once, under one bound. */
export interface Intake {
  /**
   * Whether there is room for a body of which `size` bytes have come so far. A small one is always taken and never counts.
   * Where there is no room, bodies that come slowly are cut for those that do not.
   */
  readonly take: (cut: Cut, size: number) => boolean
  /** Gives back what a body holds: it has been handed on, or is wanted no more. */
  readonly give: (cut: Cut) => void
}

export interface Options {
  /** Bytes of all bodies. One that is alone is taken whatever it has. */
  readonly most: number
  /** The time, in ms. */
  readonly now: () => number
}

interface Held {
  size: number
  /** How much of it had come when it was last seen to keep pace. */
  paced: number
  at: number
}

const none: ReadonlyArray<Cut> = []

class Shared implements Intake {
  private readonly most: number
  private readonly now: () => number
  private total = 0
  /** In the order in which they were last seen to keep pace: the slowest come first. */
  private readonly bodies = new Map<Cut, Held>()

  constructor({ most, now }: Options) {
    this.most = most
    this.now = now
  }

  take(cut: Cut, size: number): boolean {
    if (size <= SMALL) return true
    const held = this.bodies.get(cut)
    const before = held?.size ?? 0
    const others = this.total - before
    const isOver = others > 0 && others + size > this.most
    const slow = isOver ? this.slowest(cut, others + size - this.most) : none
    if (slow === undefined) {
      this.give(cut)
      return false
    }
    for (const one of slow) this.give(one)
    this.total += size - before
    if (held === undefined) this.bodies.set(cut, { size, paced: size, at: this.now() })
    else {
      held.size = size
      if (size - held.paced >= PACE) {
        held.paced = size
        held.at = this.now()
        this.bodies.delete(cut)
        this.bodies.set(cut, held)
      }
    }
    if (slow === none) return true
    // last: whoever is cut may answer, and read the next body, at once
    for (const one of slow) one("Busy")
    return this.bodies.has(cut)
  }

  give(cut: Cut): void {
    const held = this.bodies.get(cut)
    if (held === undefined) return
    this.bodies.delete(cut)
    this.total -= held.size
  }

  /** Those that come slowest, until there is room without them; none where all that could go are not enough. */
  private slowest(asking: Cut, wanted: number): ReadonlyArray<Cut> | undefined {
    const latest = this.now() - PACE_MS
    const slow: Array<Cut> = []
    let room = 0
    for (const [cut, { at, size }] of this.bodies) {
      if (room >= wanted || at > latest) break
      if (cut === asking) continue
      slow.push(cut)
      room += size
    }
    return room < wanted ? undefined : slow
  }
}

/** Makes one. */
export const make = (options: Options): Intake => new Shared(options)
