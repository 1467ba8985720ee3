/** Small statistics helpers. */

export const median = (xs: readonly number[]): number => {
  if (xs.length === 0) return NaN
  const s = [...xs].sort((a, b) => a - b)
  const m = s.length >> 1
  return s.length % 2 ? s[m]! : (s[m - 1]! + s[m]!) / 2
}

/** Value at quantile q (0..1) of an unsorted sample, nearest-rank. */
export const quantile = (xs: readonly number[] | Float64Array, q: number): number => {
  if (xs.length === 0) return NaN
  const s = Float64Array.from(xs).sort()
  return s[Math.min(s.length - 1, Math.max(0, Math.ceil(q * s.length) - 1))]!
}

export interface Summary { median: number; min: number; max: number; n: number }

export const summarize = (xs: readonly number[]): Summary => ({
  median: median(xs), min: Math.min(...xs), max: Math.max(...xs), n: xs.length
})

/** Growable sample buffer that never allocates per sample. */
export class Samples {
  #buf = new Float64Array(1 << 16)
  #n = 0
  push(x: number): void {
    if (this.#n === this.#buf.length) {
      const next = new Float64Array(this.#buf.length * 2)
      next.set(this.#buf)
      this.#buf = next
    }
    this.#buf[this.#n++] = x
  }
  get length(): number { return this.#n }
  quantile(q: number): number { return quantile(this.#buf.subarray(0, this.#n), q) }
}

export const sleep = (ms: number): Promise<void> => new Promise((r) => setTimeout(r, ms))

export const withTimeout = <A>(p: Promise<A>, ms: number, what: string): Promise<A> => {
  let t: NodeJS.Timeout | undefined
  return Promise.race([
    p,
    new Promise<A>((_, reject) => { t = setTimeout(() => reject(new Error(`timeout: ${what} after ${ms} ms`)), ms) })
  ]).finally(() => clearTimeout(t))
}

/** `Map.groupBy`, which the repository's TypeScript library does not have yet. */
export const groupBy = <K, A>(items: Iterable<A>, key: (item: A) => K): Map<K, A[]> => {
  const groups = new Map<K, A[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group) group.push(item)
    else groups.set(key(item), [item])
  }
  return groups
}
