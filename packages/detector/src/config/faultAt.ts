const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const SPACE = /[ \t\r\n]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Where a match that begins at a place ends; undefined where there is none. */
const after = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Where a text in quotes ends, or, as what is left of it, where it goes wrong. */
const afterText = (text: string, from: number): number | readonly [wrong: number] => {
  let at = from + 1
  while (at < text.length && text[at] !== '"') {
    const next = text[at] === "\\" ? after(ESCAPE, text, at) : text.charCodeAt(at) < 0x20 ? undefined : at + 1
    if (next === undefined) return [at]
    at = next
  }
  return at < text.length ? at + 1 : [from]
}

/**
 * Where a text stops being JSON, as an offset; its length when it ends too early. Parsers say so in words that repeat some
 * of the text, or not at all.
 */
export const faultAt = (text: string): number => {
  const open: Array<string> = []
  /** What may come: a value, one or the end of an empty list, a name, one or the end of an empty object, or what follows a value. */
  let due: "value" | "first" | "name" | "firstName" | "next" = "value"
  let at = 0
  for (;;) {
    at = after(SPACE, text, at) ?? at
    const character = text[at]
    if (character === undefined) return at
    const within = open.at(-1)
    if (due === "next" && character === "," && within !== undefined) {
      due = within === "{" ? "name" : "value"
      at++
    } else if ((character === "}" && within === "{") || (character === "]" && within === "[")) {
      if (due !== "next" && due !== "first" && due !== "firstName") return at
      open.pop()
      due = "next"
      at++
    } else if (due === "name" || due === "firstName") {
      const end = character === '"' ? afterText(text, at) : ([at] as const)
      if (typeof end !== "number") return end[0]
      const colon = after(SPACE, text, end) ?? end
      if (text[colon] !== ":") return colon
      due = "value"
      at = colon + 1
    } else if (due === "next") return at
    else if (character === "{" || character === "[") {
      open.push(character)
      due = character === "{" ? "firstName" : "first"
      at++
    } else {
      const end =
        character === '"' ? afterText(text, at) : (after(NUMBER, text, at) ?? after(WORD, text, at) ?? ([at] as const))
      if (typeof end !== "number") return end[0]
      due = "next"
      at = end
    }
  }
}

/** The same as a person finds it in an editor, both counted from 1. */
export const placeOf = (text: string): string => {
  const before = text.slice(0, faultAt(text)).split(/\r\n|\r|\n/)
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`
}
