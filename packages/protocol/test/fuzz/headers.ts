import assert from "node:assert/strict"
import { Buffer } from "node:buffer"
import { HeaderName, HeaderValue, Invalid } from "@effective-mcp/protocol"
import fc from "fast-check"
import { type Tape, taped } from "./Tape.ts"
import { check, several, target } from "./Target.ts"
import { json } from "./values.ts"

const marks: readonly [string, ...ReadonlyArray<string>] = [
  "a",
  " ",
  "\t",
  "=?base64?",
  "?=",
  "=?BASE64?",
  "\r\n",
  "é",
  "🦜",
  "\ufeff",
  "\u0000",
  "\u007f",
  "AA==",
  "YQ",
  "=",
  "-_",
  "42"
]
const text = (tape: Tape): string => tape.list(8, () => tape.pick(marks)).join("")

const texts = fc.oneof(
  taped(10, text),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 })
)

const headers = fc.oneof(
  texts,
  fc.base64String({ maxLength: 24 }).map((base64) => `=?base64?${base64}?=`),
  texts.map((inside) => `=?base64?${inside}?=`)
)

const units = (header: string): ReadonlyArray<number> => header.split("").map((unit) => unit.charCodeAt(0))

/** What a reader of headers may say of one: by characters, and by what writing gives. */
const expectRead = (header: string, value: unknown): void => {
  const read = HeaderValue.decode(header)
  const isLegal = units(header).every((unit) => unit === 9 || (unit >= 32 && unit < 127))
  if (!isLegal) assert(read instanceof Invalid)
  if (read instanceof Invalid) {
    assert.match(read.detail, /^(?:a character that a header may not hold|not Base64|not UTF-8)$/)
    assert(!isLegal || header.includes("=?base64?"))
  } else if (/^[ \t]*=\?base64\?.*\?=[ \t]*$/.test(header) && !header.includes("=?base64?=")) {
    // only one spelling of each text in Base64 is taken
    assert.equal(`=?base64?${Buffer.from(read).toString("base64")}?=`, header.replace(/^[ \t]+|[ \t]+$/g, ""))
  } else assert.equal(read, header.replace(/^[ \t]+|[ \t]+$/g, ""))
  const why = HeaderValue.mismatch(header, value)
  const isAbsent = value === undefined || value === null
  assert.equal(why === "Unexpected", isAbsent)
  if (!isAbsent) assert.equal(why === "Malformed", read instanceof Invalid)
}

/** A decimal number as a header may spell it, with what it is worth. */
interface Decimal {
  readonly header: string
  readonly value: number
}

const decimals = taped(24, (tape): Decimal => {
  const value = Number(tape.pick([0, 1, 7, 42, 1_000_000, 2 ** 53 - 1, 120, 2 ** 31])) * (tape.once(3) ? -1 : 1)
  const digits = tape.once(3) ? `${tape.byte() * tape.byte()}` : String(Math.abs(value))
  const zeros = "0".repeat(tape.below(5))
  const cut = tape.below(digits.length + 1)
  const whole = zeros + digits.slice(0, cut)
  const fraction = digits.slice(cut) + "0".repeat(tape.below(4))
  const exponent = tape.once(3) ? tape.below(8) - 3 : digits.length - cut
  const sign = tape.pick([value < 0 ? "-" : "", "-", "", "+"])
  const point = fraction === "" ? "" : `.${fraction}`
  const mark = tape.pick(["e", "E", "e+", "x"])
  const power = exponent === 0 ? "" : exponent < 0 ? `e${exponent}` : `${mark}${exponent}`
  return { header: `${sign}${whole === "" && !tape.once(4) ? "0" : whole}${point}${power}`, value }
})

/** Whether a decimal text is an integer's, found with whole numbers of any size. */
const isWorth = (header: string, value: number): boolean => {
  const [, sign, whole, , fraction = "", , exponent = "0"] =
    /^(-?)([0-9]+)(\.([0-9]+))?([eE]([+-]?[0-9]+))?$/.exec(header) ?? []
  if (whole === undefined) return false
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n)
  const power = Number(exponent) - fraction.length
  return power >= 0 ? digits * 10n ** BigInt(power) === BigInt(value) : digits === BigInt(value) * 10n ** BigInt(-power)
}

const nameMarks = "a-Z_9!#$%&'*+.^`|~ :\t\r\né\"(),/;<=>?@[\\]{}\u0000\u007f\u212a"
const name = (tape: Tape): string => tape.list(6, () => nameMarks.charAt(tape.below(nameMarks.length))).join("")
const tokens = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** What is written is legal and read back; what is read is one of a value's spellings, or says why not. */
export const headerTarget = target(
  "headers",
  several(
    check("a value", fc.oneof(texts, fc.maxSafeInteger(), fc.boolean()), (value) => {
      const header = HeaderValue.encode(value)
      assert(header !== undefined)
      assert.match(header, /^(?:[!-~](?:[ -~]*[!-~])?)?$/)
      // half a surrogate pair is U+FFFD once it is bytes
      const right = typeof value === "string" ? Buffer.from(value).toString() : String(value)
      assert.equal(HeaderValue.decode(header), right)
      assert.equal(HeaderValue.mismatch(header, value), undefined)
      // what comes off a wire has had the space at its ends taken away
      assert.equal(header.trim(), header)
    }),
    check(
      "a header",
      fc.tuple(
        headers,
        taped(12, (tape) => json(tape))
      ),
      ([header, value]) => expectRead(header, value)
    ),
    check("a number", decimals, ({ header, value }) =>
      assert.equal(HeaderValue.mismatch(header, value), isWorth(header, value) ? undefined : "Different")
    ),
    check("a name", taped(8, name), (given) => {
      assert.equal(HeaderName.isToken(given), given !== "" && given.split("").every((unit) => tokens.includes(unit)))
    }),
    check(
      "names",
      taped(30, (tape) => tape.list(5, () => tape.pick(["a", "A", "b", "B", "__proto__", "É", "é", name(tape)]))),
      (given) => {
        const folded = given.map((each) => each.toLowerCase())
        const right = given.find((_, at) => folded.indexOf(folded[at] ?? "") < at)
        assert.equal(HeaderName.repeated(given), right)
      }
    )
  ),
  ({ holds }) => holds()
)
