/** Characters of a name, or of anything else that a peer wrote, in a message. */
const NAME = 64
/** Characters of a JSON pointer in a message. */
const POINTER = 256

const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** At most `length` characters of a text, none of them half. */
export const clip = (text: string, length: number = NAME): string => {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)}…`
}

/** A text without what could disturb a terminal or mislead a reader. */
export const printable = (text: string): string => text.replace(CONTROLS, "\ufffd")

/** A name as a message shows it: quoted, cut, and disturbing nothing. */
export const quote = (name: string): string => JSON.stringify(printable(clip(name)))

/** One step of a JSON pointer. */
export const token = (key: string | number): string =>
  typeof key === "number" ? `/${key}` : `/${clip(key).replaceAll("~", "~0").replaceAll("/", "~1")}`

/** A JSON pointer as a message shows it. */
export const pointer = (path: ReadonlyArray<string | number>): string => {
  let text = ""
  for (const key of path) {
    text += token(key)
    if (text.length > POINTER) break
  }
  return printable(clip(text, POINTER))
}

/** A place in a schema as a message shows it. */
export const place = (at: string): string => printable(clip(at, POINTER))

/** What a JSON value is, in JSON Schema's words. */
export const typeOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return typeof value
}

const MANY = 8

/** What a schema allows, as far as it can be said shortly: `article` goes before what is not shown. */
export const choices = (values: ReadonlyArray<unknown>, article: "the" | "an"): string => {
  const shown = values.slice(0, MANY).map((value) => {
    if (typeof value === "string") return quote(value)
    return typeof value === "object" && value !== null
      ? `${article} ${typeOf(value)} that the schema gives`
      : String(value)
  })
  return values.length > MANY ? `${shown.join(", ")}, … (${values.length} in all)` : shown.join(", ")
}
