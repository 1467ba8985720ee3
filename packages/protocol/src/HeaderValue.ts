import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import { Invalid } from "./Invalid.ts"

const START = "=?base64?"
const END = "?="

/** What a header's text may consist of: visible ASCII, spaces, tabs. */
const LEGAL = /^[\t\x20-\x7e]*$/
/** What stands for itself: visible ASCII, and spaces that are not at an end. */
const PLAIN = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const isMarked = (text: string): boolean => text.startsWith(START) && text.endsWith(END)

/**
 * The text of a header (`Mcp-Name`, `Mcp-Param-*`) that carries a value of the body: as it is where it can be, else its
 * UTF-8 in Base64 between two marks. `undefined` for a number that is no safe integer: no header carries it. Half a
 * surrogate pair, which UTF-8 cannot say, becomes U+FFFD.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */
export function encode(value: string | boolean): string
export function encode(value: string | number | boolean): string | undefined
export function encode(value: string | number | boolean): string | undefined {
  if (typeof value === "number" && !Number.isSafeInteger(value)) return undefined
  const text = String(value)
  return PLAIN.test(text) && !isMarked(text) ? text : START + Base64.encode(text) + END
}

/** The bytes that a text in Base64 stands for; only the one right spelling of them is taken. */
const bytesOf = (text: string): Uint8Array | undefined => {
  const read = Base64.decode(text)
  return Result.isSuccess(read) && Base64.encode(read.success) === text ? read.success : undefined
}

/**
 * The text that a header carries; spaces and tabs around it are the wire's. Marks in another case, or one without the
 * other, mark nothing.
 */
export const decode = (header: string): string | Invalid => {
  if (!LEGAL.test(header)) return new Invalid("a character that a header may not hold")
  const text = trim(header)
  if (!isMarked(text)) return text
  const bytes = bytesOf(text.slice(START.length, -END.length))
  if (bytes === undefined || text.length < START.length + END.length) return new Invalid("not Base64")
  try {
    return strict.decode(bytes)
  } catch {
    return new Invalid("not UTF-8")
  }
}

/** Without the spaces and tabs at both ends. */
const trim = (text: string): string => {
  let from = 0
  let to = text.length
  while (from < to && (text[from] === " " || text[from] === "\t")) from++
  while (to > from && (text[to - 1] === " " || text[to - 1] === "\t")) to--
  return text.slice(from, to)
}

/** One spelling for each number, however many zeros and whatever exponent it is written with. */
const canonical = (text: string): string | undefined => {
  const [, sign, whole, fraction = "", exponent = "0"] = DECIMAL.exec(text) ?? []
  if (whole === undefined) return undefined
  const digits = whole + fraction
  let from = 0
  let to = digits.length
  while (from < to && digits[from] === "0") from++
  while (to > from && digits[to - 1] === "0") to--
  return from === to ? "0" : `${sign}${digits.slice(from, to)}e${Number(exponent) + whole.length - to}`
}

const isSame = (text: string, value: unknown): boolean => {
  switch (typeof value) {
    case "string":
      return text === value.replace(/[\ud800-\udfff]/gu, "\ufffd")
    case "boolean":
      return text === String(value)
    case "number":
      return Number.isFinite(value) && canonical(text) === canonical(String(value))
    default:
      return false
  }
}

/**
 * Why a header is not what the body's value asks for: not there, there although the value is `null` or absent, not to be
 * decoded, or of another value. `undefined` when they agree. Numbers are compared as numbers, exactly: `42.0` is 42.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 */
export const mismatch = (
  header: string | undefined,
  value: unknown
): "Missing" | "Unexpected" | "Malformed" | "Different" | undefined => {
  const isAbsent = value === undefined || value === null
  if (header === undefined) return isAbsent ? undefined : "Missing"
  if (isAbsent) return "Unexpected"
  const text = decode(header)
  if (text instanceof Invalid) return "Malformed"
  return isSame(text, value) ? undefined : "Different"
}
