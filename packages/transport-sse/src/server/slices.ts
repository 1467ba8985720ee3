import * as Effect from "effect/Effect"

/** Characters that are written at once. */
export const SLICE = 64 * 1024

/** Where a slice ends that begins there: not between the two halves of a character. */
const endOf = (text: string, at: number): number => {
  const end = at + SLICE
  const last = text.charCodeAt(end - 1)
  return end < text.length && last >= 0xd800 && last < 0xdc00 ? end - 1 : end
}

/**
 * Writes a long text slice by slice: what its reader does not take is not copied for the wire, and a slow reader can
 * be told from one that takes nothing. `onTaken` hears of each slice once there is room for the next.
 */
export const slices = (
  text: string,
  write: (part: string) => Effect.Effect<void>,
  onTaken: (size: number) => void
): Effect.Effect<void> => {
  let at = 0
  let size = 0
  return Effect.whileLoop({
    while: () => at < text.length,
    body: () => {
      const part = text.slice(at, endOf(text, at))
      size = part.length
      at += size
      return write(part)
    },
    step: () => onTaken(size)
  })
}
