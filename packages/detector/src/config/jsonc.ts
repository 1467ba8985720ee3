/**
 * JSON with comments and trailing commas, as hosts keep it, made plain: what is left out becomes spaces, so that a place in
 * the one is the same in the other.
 */
export const plain = (text: string): string => {
  const out: Array<string> = []
  /** Where a comma stands after which nothing has come yet. */
  let comma = -1
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  if (at === 1) out.push(" ")
  while (at < text.length) {
    const character = text[at]!
    if (character === '"') {
      const from = at++
      while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1
      at = Math.min(at + 1, text.length)
      out.push(text.slice(from, at))
      comma = -1
      continue
    }
    const next = text[at + 1]
    if (character === "/" && (next === "/" || next === "*")) {
      const end = next === "/" ? text.slice(at).search(/[\r\n]/) : text.indexOf("*/", at + 2) - at + 2
      const length = end < (next === "/" ? 0 : 4) ? text.length - at : end
      out.push(text.slice(at, at + length).replaceAll(/[^\r\n]/g, " "))
      at += length
      continue
    }
    if (character === ",") comma = out.length
    else if ((character === "}" || character === "]") && comma >= 0) out[comma] = " "
    if (!/[\s,]/.test(character)) comma = -1
    out.push(character)
    at++
  }
  return out.join("")
}
