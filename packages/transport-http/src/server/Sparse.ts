/** A map that takes no room while it is empty: of what idle sessions have, most is. */
export class Sparse<K, V> {
  private map: Map<K, V> | undefined

  get size(): number {
    return this.map?.size ?? 0
  }

  has(key: K): boolean {
    return this.map?.has(key) === true
  }

  get(key: K): V | undefined {
    return this.map?.get(key)
  }

  set(key: K, value: V): void {
    this.map ??= new Map()
    this.map.set(key, value)
  }

  delete(key: K): void {
    if (this.map?.delete(key) === true && this.map.size === 0) this.map = undefined
  }

  /** Those of now, whatever comes or goes meanwhile. */
  values(): ReadonlyArray<V> {
    return this.map === undefined ? [] : [...this.map.values()]
  }
}
