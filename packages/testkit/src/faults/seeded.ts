const GOLDEN = 0x9e3779b1

/** Numbers from 0 to below 1 that look random and are the same for the same seed: Marsaglia's xorshift of 32 bits. */
export const seeded = (seed: number): (() => number) => {
  // zero is the one state that never changes
  let state = Math.imul((seed | 0) ^ GOLDEN, GOLDEN) || GOLDEN
  const step = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  // the first ones of neighbouring seeds are alike
  for (let i = 0; i < 8; i++) step()
  return step
}
