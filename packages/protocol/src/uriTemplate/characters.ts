/**
 * Text as units. A unit is one character of a URI with its spelling taken away where that means nothing:
 *
 * - a reserved or unreserved character of ASCII: its code; `%41` is `A`;
 * - any other character, written as itself or as its escapes: its code point; `%C3%A9` is `é`;
 * - an ASCII character that is escaped or has to be: its code with `ESCAPED`; `%2F` is not `/`, a space is `%20`;
 * - an escaped byte that is no part of UTF-8: the byte with `ESCAPED`.
 *
 * Two URIs with the same units are equivalent.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
 */
export type Units = Uint32Array

/** Above every code point. */
export const ESCAPED = 0x200000

const PERCENT = 0x25
const OTHER = 0
const UNRESERVED = 1
const RESERVED = 2

const classes = new Uint8Array(128)
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
  classes[character.charCodeAt(0)] = UNRESERVED
for (const character of ":/?#[]@!$&'()*+,;=") classes[character.charCodeAt(0)] = RESERVED

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff

/** Whether a unit is a reserved character, escaped. */
export const isEscapedReserved = (unit: number): boolean => unit >= ESCAPED && classes[unit - ESCAPED] === RESERVED

/** Whether a unit may stand in a value that is not reserved: all but reserved characters and bytes that are no text. */
export const isPlain = (unit: number): boolean => (unit < 0x80 ? classes[unit] === UNRESERVED : unit < ESCAPED + 0x80)

export const isHexDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66)

/** The byte that an escape stands for; -1 when there is none here. */
const byteAt = (text: string, at: number): number =>
  text.charCodeAt(at) === PERCENT && isHexDigit(text.charCodeAt(at + 1)) && isHexDigit(text.charCodeAt(at + 2))
    ? Number.parseInt(text.slice(at + 1, at + 3), 16)
    : -1

/** The smallest code point that UTF-8 writes with so many further bytes. */
const smallest = [0, 0x80, 0x800, 0x10000] as const

/** The character whose UTF-8 is escaped here, past ASCII; -1 when there is none. */
const escapedAt = (text: string, at: number, lead: number): number => {
  const more = lead < 0xc0 || lead >= 0xf8 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3
  if (more === 0) return -1
  let code = lead & (0x3f >> more)
  for (let k = 1; k <= more; k++) {
    const byte = byteAt(text, at + 3 * k)
    if ((byte & 0xc0) !== 0x80) return -1
    code = (code << 6) | (byte & 0x3f)
  }
  return code < smallest[more]! || code > 0x10ffff || isSurrogate(code) ? -1 : code
}

/** The unit that starts here; -1 for half a surrogate pair and for a percent sign that starts no escape. */
export const unitAt = (text: string, at: number): number => {
  const code = text.codePointAt(at)!
  if (code >= 0x80) return isSurrogate(code) ? -1 : code
  if (code !== PERCENT) return classes[code] === OTHER ? ESCAPED | code : code
  const byte = byteAt(text, at)
  if (byte < 0) return -1
  if (byte < 0x80) return classes[byte] === UNRESERVED ? byte : ESCAPED | byte
  const character = escapedAt(text, at, byte)
  return character < 0 ? ESCAPED | byte : character
}

/** How many UTF-16 units of `text` the unit takes that starts here. */
export const lengthAt = (text: string, at: number, unit: number): number => {
  if (text.charCodeAt(at) !== PERCENT) return unit > 0xffff && unit < ESCAPED ? 2 : 1
  if (unit < 0) return 1
  if (unit < 0x80 || unit >= ESCAPED) return 3
  return unit < 0x800 ? 6 : unit < 0x10000 ? 9 : 12
}

/** The units of a text; undefined when it is no URI: half a surrogate pair, or a percent sign that starts no escape. */
export const unitsOf = (text: string): Units | undefined => {
  const units = new Uint32Array(text.length)
  let size = 0
  for (let at = 0; at < text.length;) {
    const unit = unitAt(text, at)
    if (unit < 0) return undefined
    units[size++] = unit
    at += lengthAt(text, at, unit)
  }
  return units.subarray(0, size)
}

const hex = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`

/** Halves of surrogate pairs replaced, as UTF-8 has it. */
const wellFormed = (text: string): string => text.replace(/[\ud800-\udfff]/gu, "\ufffd")

/** Escapes all but unreserved characters. */
export const encodePlain = (text: string): string =>
  encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, (character) => hex(character.charCodeAt(0)))

/** Escapes all but unreserved and reserved characters and what is an escape already. */
export const encodeReserved = (text: string): string =>
  wellFormed(text)
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((piece, index) => (index % 2 === 1 ? piece : encodeURI(piece).replace(/%5[BD]/g, decodeURIComponent)))
    .join("")

/** The text that the units of a plain value stand for. */
export const decodePlain = (units: Units): string => {
  let text = ""
  for (const unit of units) text += String.fromCodePoint(unit < ESCAPED ? unit : unit - ESCAPED)
  return text
}

/**
 * The text that the units of a reserved value stand for. What would be another URI without its escape keeps it: a
 * reserved character, a percent sign before two hexadecimal digits, a byte that is no text.
 */
export const decodeReserved = (units: Units): string => {
  const isKept = (unit: number, index: number): boolean =>
    unit - ESCAPED === PERCENT
      ? isHexDigit(units[index + 1] ?? 0) && isHexDigit(units[index + 2] ?? 0)
      : isEscapedReserved(unit) || unit >= ESCAPED + 0x80
  let text = ""
  units.forEach((unit, index) => {
    if (isKept(unit, index)) text += hex(unit - ESCAPED)
    else text += String.fromCodePoint(unit < ESCAPED ? unit : unit - ESCAPED)
  })
  return text
}
