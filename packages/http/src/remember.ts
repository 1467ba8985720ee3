/** Results that are kept: clients send the same few headers again and again. */
const MOST = 64
/** Longer texts are not kept. */
const LONGEST = 256

/** The same function, with the results for a bounded number of texts kept. */
export const remember = <A>(compute: (text: string) => A): ((text: string) => A) => {
  const known = new Map<string, A>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined || text.length > LONGEST) return found ?? compute(text)
    const result = compute(text)
    if (known.size >= MOST) known.clear()
    known.set(text, result)
    return result
  }
}
