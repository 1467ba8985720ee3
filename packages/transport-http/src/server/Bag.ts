/** What a bag may hold: one bag at a time, which tells it its place there. */
export interface Held {
  at?: number | undefined
}

/**
 * Holds what comes and goes all the time, in no order. A `Set` would leave what it held in the tables that it has outgrown,
 * one of which leads to the next: together with all that belongs to it, that would stay until the next full collection.
 */
export class Bag<T extends Held> {
  private readonly all: Array<T> = []

  get size(): number {
    return this.all.length
  }

  add(one: T): void {
    if (one.at !== undefined) return
    one.at = this.all.length
    this.all.push(one)
  }

  remove(one: T): void {
    const { at } = one
    if (at === undefined) return
    one.at = undefined
    const last = this.all.pop()
    if (last === undefined || last === one) return
    last.at = at
    this.all[at] = last
  }

  /** Calls for each; what is called may remove itself, and others. */
  forEach(call: (one: T) => void): void {
    for (let at = this.all.length - 1; at >= 0; at--) {
      const one = this.all[at]
      if (one !== undefined) call(one)
    }
  }

  clear(): void {
    for (const one of this.all) one.at = undefined
    this.all.length = 0
  }
}
