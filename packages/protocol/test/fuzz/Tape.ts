import fc from "fast-check"

/**
 * Choices read off random bytes. What is built of them costs little, and shrinks with the bytes: a tape that has come to
 * its end always takes the first choice.
 */
export class Tape {
  private readonly bytes: Uint8Array
  private at = 0
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** From 0 to 255. */
  byte(): number {
    return this.bytes[this.at++] ?? 0
  }

  /** From 0 up to, but not including, `count`. */
  below(count: number): number {
    return this.byte() % count
  }

  pick<A>(choices: readonly [A, ...ReadonlyArray<A>]): A
  pick<A>(choices: ReadonlyArray<A>): A | undefined
  pick<A>(choices: ReadonlyArray<A>): A | undefined {
    return choices[this.below(choices.length)]
  }

  /** A tape of the next `length` bytes: what is read off it changes nothing of what comes after. */
  cut(length: number): Tape {
    this.at += length
    return new Tape(this.bytes.subarray(this.at - length, this.at))
  }

  /** True once in `often` times, and never at the end. */
  once(often: number): boolean {
    return this.below(often) === often - 1
  }

  /** Up to `most` of what `make` makes. */
  list<A>(most: number, make: () => A): Array<A> {
    return Array.from({ length: this.below(most + 1) }, make)
  }
}

/** What `make` builds of up to `length` choices. */
export const taped = <A>(length: number, make: (tape: Tape) => A): fc.Arbitrary<A> =>
  fc.uint8Array({ maxLength: length, size: "max" }).map((bytes) => make(new Tape(bytes)))
