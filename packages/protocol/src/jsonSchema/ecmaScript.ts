/** A regular expression that has no equal among those that match in linear time, or that is none. */
export class Refused {
  readonly detail: string
  constructor(detail: string) {
    this.detail = detail
  }
}

const MAX_CODE = 0x10ffff

type Range = readonly [from: number, to: number]

const spaces: ReadonlyArray<Range> = [
  [0x9, 0xd],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff]
]

const code = (point: number): string => `\\x{${point.toString(16)}}`
const ranges = (all: ReadonlyArray<Range>): string => all.map(([from, to]) => `${code(from)}-${code(to)}`).join("")
const others = (all: ReadonlyArray<Range>): string =>
  ranges([...all, [MAX_CODE + 1, MAX_CODE + 1] as const].map(([from], i) => [(all[i - 1]?.[1] ?? -1) + 1, from - 1]))

const SPACE = ranges(spaces)
const NO_SPACE = others(spaces)
const ANY = ranges([[0, MAX_CODE]])
const DOT = "[^\\n\\r\\x{2028}\\x{2029}]"

const controls: ReadonlyMap<string, number> = new Map([
  ["t", 0x9],
  ["n", 0xa],
  ["v", 0xb],
  ["f", 0xc],
  ["r", 0xd],
  ["0", 0]
])

/** General categories by their long names, which RE2 does not know. */
const categories: ReadonlyMap<string, string> = new Map(
  (
    "Letter L Cased_Letter LC Uppercase_Letter Lu Lowercase_Letter Ll Titlecase_Letter Lt Modifier_Letter Lm Other_Letter Lo " +
    "Mark M Combining_Mark M Nonspacing_Mark Mn Spacing_Mark Mc Enclosing_Mark Me Number N Decimal_Number Nd digit Nd " +
    "Letter_Number Nl Other_Number No Punctuation P punct P Connector_Punctuation Pc Dash_Punctuation Pd Open_Punctuation Ps " +
    "Close_Punctuation Pe Initial_Punctuation Pi Final_Punctuation Pf Other_Punctuation Po Symbol S Math_Symbol Sm " +
    "Currency_Symbol Sc Modifier_Symbol Sk Other_Symbol So Separator Z Space_Separator Zs Line_Separator Zl " +
    "Paragraph_Separator Zp Other C Control Cc cntrl Cc Format Cf Surrogate Cs Private_Use Co Unassigned Cn"
  )
    .split(" ")
    .flatMap((word, i, words): ReadonlyArray<[string, string]> => (i % 2 === 0 ? [[word, words[i + 1]!]] : []))
)

/** Reads an ECMAScript regular expression and writes the one of RE2's that matches the same texts. */
class Translation {
  private at = 0
  private readonly source: string
  private readonly limit: number
  private out = ""
  /** Instructions of each open group so far, and of its last atom. */
  private readonly groups: Array<{ size: number; atom: number }> = [{ size: 0, atom: 0 }]

  constructor(source: string, limit: number) {
    this.source = source
    this.limit = limit
  }

  run(): string {
    while (this.at < this.source.length) this.term()
    if (this.groups.length > 1) throw new Refused("a group is not closed")
    return this.out
  }

  private term(): void {
    const char = this.next()
    switch (char) {
      case "(":
        return this.open()
      case ")":
        return this.close()
      case "[":
        return this.atom(this.set())
      case "\\":
        return this.escape()
      case ".":
        return this.atom(DOT)
      case "^":
      case "$":
      case "|":
        return this.atom(char)
      case "*":
      case "+":
      case "?":
        return this.repeat(char, 1)
      case "{": {
        const [whole, min = "", comma, max = ""] = this.take(/(\d+)(,(\d*))?\}/y) ?? []
        if (whole === undefined) return this.atom("\\{")
        return this.repeat(`{${whole}`, comma === undefined ? Number(min) : Number(max === "" ? min : max) + 1)
      }
      default:
        return this.atom(code(char.codePointAt(0)!))
    }
  }

  /** The next character, whole. */
  private next(): string {
    const char = String.fromCodePoint(this.source.codePointAt(this.at)!)
    this.at += char.length
    return char
  }

  private take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at
    const found = expression.exec(this.source)
    if (found === null) return undefined
    this.at += found[0].length
    return found
  }

  private atom(text: string, size: number = 1): void {
    this.out += text
    const group = this.groups.at(-1)!
    group.atom = size
    group.size += size
    if (group.size > this.limit) throw new Refused("it is too large")
  }

  private repeat(text: string, times: number): void {
    const group = this.groups.at(-1)!
    this.out += text
    group.size += group.atom * Math.max(times, 1) - group.atom + 1
    if (group.size > this.limit) throw new Refused("it is too large")
    if (this.source[this.at] === "?") this.out += this.next()
  }

  private open(): void {
    this.out += "(?:"
    this.groups.push({ size: 0, atom: 0 })
    if (this.source[this.at] !== "?") return
    if (this.take(/\?:|\?<[\p{L}$_][\p{L}\p{N}$_]*>/uy) !== undefined) return
    throw new Refused(
      this.take(/\?<?[=!]/y) === undefined ? "it has a group of an unknown kind" : "it looks ahead or behind"
    )
  }

  private close(): void {
    const group = this.groups.pop()!
    if (this.groups.length === 0) throw new Refused("a group is not open")
    this.atom(")", group.size + 1)
  }

  private escape(): void {
    const boundary = this.take(/[bB]/y)?.[0]
    if (boundary !== undefined) return this.atom(`\\${boundary}`)
    const { text, isSet } = this.escaped()
    this.atom(isSet ? `[${text}]` : text)
  }

  /** What follows a backslash: one character, or what stands for a set of them inside brackets. */
  private escaped(): { readonly text: string; readonly isSet: boolean } {
    if (this.at >= this.source.length) throw new Refused("it ends in a backslash")
    const known = this.take(/[dDwW]/y)?.[0]
    if (known !== undefined) return { text: `\\${known}`, isSet: true }
    const space = this.take(/[sS]/y)?.[0]
    if (space !== undefined) return { text: space === "s" ? SPACE : NO_SPACE, isSet: true }
    const property = this.take(/([pP])\{([\w=]+)\}/y)
    if (property !== undefined) return { text: this.property(property[1]!, property[2]!), isSet: true }
    return { text: code(this.character()), isSet: false }
  }

  private property(letter: string, name: string): string {
    const value = name.replace(/^(Script|sc|General_Category|gc)=/, "")
    if (value === "Any") return letter === "p" ? ANY : code(MAX_CODE)
    if (value === "ASCII") return ranges([letter === "p" ? [0, 0x7f] : [0x80, MAX_CODE]])
    return `\\${letter}{${categories.get(value) ?? value}}`
  }

  private character(): number {
    const [, pair, low, braced, unit, byte, control] =
      this.take(
        /u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|c([a-zA-Z])/y
      ) ?? []
    if (pair !== undefined) return String.fromCharCode(parseInt(pair, 16), parseInt(low!, 16)).codePointAt(0)!
    const digits = braced ?? unit ?? byte
    if (digits !== undefined) {
      const point = parseInt(digits, 16)
      if (point > MAX_CODE) throw new Refused("it names no character")
      return point
    }
    if (control !== undefined) return control.charCodeAt(0) % 32
    const char = this.next()
    const meant = controls.get(char)
    if (meant !== undefined && !(meant === 0 && /\d/.test(this.source[this.at] ?? ""))) return meant
    if (/[\dk]/.test(char)) throw new Refused("it refers back to a group")
    if (/[A-Za-z]/.test(char)) throw new Refused(`it has an unknown escape, \\${char}`)
    return char.codePointAt(0)!
  }

  /** A set in brackets. */
  private set(): string {
    const isNegated = this.take(/\^/y) !== undefined
    let body = ""
    for (;;) {
      if (this.at >= this.source.length) throw new Refused("a set is not closed")
      if (this.take(/\]/y) !== undefined) break
      const from = this.member()
      if (!from.isSet && this.take(/-(?!\])/y) !== undefined) {
        const to = this.member()
        body += to.isSet ? `${from.text}\\-${to.text}` : `${from.text}-${to.text}`
      } else body += from.text
    }
    if (body === "") return isNegated ? `[${ANY}]` : `[^${ANY}]`
    return `[${isNegated ? "^" : ""}${body}]`
  }

  private member(): { readonly text: string; readonly isSet: boolean } {
    if (this.take(/\\b/y) !== undefined) return { text: code(8), isSet: false }
    if (this.take(/\\/y) !== undefined) return this.escaped()
    return { text: code(this.next().codePointAt(0)!), isSet: false }
  }
}

/**
 * Writes an ECMAScript regular expression for RE2: the same escapes, spaces, line ends and Unicode properties. Characters are
 * whole, as with the flag `u`; escapes that only that flag forbids are let pass.
 *
 * @param limit instructions that its repetitions may come to
 * @throws Refused when it looks ahead or behind, refers back, is too large, or is no regular expression
 * @see https://json-schema.org/draft/2020-12/json-schema-core#name-regular-expressions
 */
export const toRe2 = (source: string, limit: number): string => new Translation(source, limit).run()
