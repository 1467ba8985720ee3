/** Which members or items of one value its schemas have looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  allNames = false
  /** Items before this index; `Infinity` for all. */
  items = 0
  private readonly names = new Set<string>()
  private readonly some = new Set<number>()

  addName(name: string): void {
    if (!this.allNames) this.names.add(name)
  }

  addItem(index: number): void {
    if (index >= this.items) this.some.add(index)
  }

  hasName(name: string): boolean {
    return this.allNames || this.names.has(name)
  }

  hasItem(index: number): boolean {
    return index < this.items || this.some.has(index)
  }

  /** Takes over what another has; says how much that was. */
  add(other: Evaluated): number {
    this.allNames ||= other.allNames
    this.items = Math.max(this.items, other.items)
    for (const name of other.names) this.addName(name)
    for (const index of other.some) this.addItem(index)
    return other.names.size + other.some.size
  }
}
