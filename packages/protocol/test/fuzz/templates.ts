import assert from "node:assert/strict"
import { UriTemplate } from "@effective-mcp/protocol"
import fc from "fast-check"
import { parseTemplate } from "url-template"
import { check, several, target } from "./Target.ts"

/** What both libraries take for a value. */
type Both = string | number | boolean | null | Array<string> | { [key: string]: string }

interface Spec {
  readonly name: string
  readonly modifier: string
}

interface Piece {
  readonly sign: string
  readonly specs: ReadonlyArray<Spec>
  readonly written: string
}

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.array(fc.constantFrom(..."abc/,.;=&?#%12F "), { maxLength: 6 }).map((units) => units.join("")),
  fc.constantFrom("", "a/b", "%2F", "100%", "é", "__proto__")
)
const filled = text.filter((value) => value !== "")
const undotted = text.map((value) => value.replaceAll(".", ""))

const literal = fc.constantFrom("", "a", "/", "?x=", "b.c", "%2F", "é", "-", "res://x/", "'!")
const operator = fc.constantFrom("", "+", "#", ".", "/", ";", "?", "&")

/** A template whose names do not repeat, as its pieces. */
const template = (modifiers: ReadonlyArray<string>): fc.Arbitrary<ReadonlyArray<Piece>> =>
  fc
    .array(fc.tuple(literal, operator, fc.array(fc.constantFrom(...modifiers), { minLength: 1, maxLength: 3 })), {
      maxLength: 3
    })
    .map((pieces) =>
      pieces.map(([before, sign, marks], piece) => {
        const specs: ReadonlyArray<Spec> = marks.map((modifier, at) => ({ name: `v${piece}${at}`, modifier }))
        const written = `${before}{${sign}${specs.map(({ modifier, name }) => name + modifier).join(",")}}`
        return { sign, specs, written }
      })
    )

const written = (pieces: ReadonlyArray<Piece>): string => pieces.map((piece) => piece.written).join("")

/** Templates with values for each of their variables, by its expression and its place in it. */
const withValues = <A>(
  modifiers: ReadonlyArray<string>,
  valueOf: (sign: string, spec: Spec, at: number, isLast: boolean) => fc.Arbitrary<A>
): fc.Arbitrary<readonly [source: string, values: { readonly [name: string]: A }]> =>
  template(modifiers).chain((pieces) => {
    const all = pieces.flatMap(({ sign, specs }) =>
      specs.map((spec, at) =>
        valueOf(sign, spec, at, at === specs.length - 1).map((value) => [spec.name, value] as const)
      )
    )
    return fc.tuple(...all).map((members) => [written(pieces), Object.fromEntries(members)] as const)
  })

// url-template takes a percent sign and one digit for an escape, and cuts escapes and UTF-16 in two
const isClear = (value: string): boolean => !/%[0-9A-Fa-f]/.test(value.replaceAll(/%[0-9A-Fa-f]{2}/g, " "))
const member = filled.filter(isClear)
const unitsOf = (all: string): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...all), { maxLength: 5 }).map((units) => units.join(""))
const short = { plain: unitsOf("abz%/é "), reserved: unitsOf("abz/é") }
const clear = text.filter(isClear)
const any: fc.Arbitrary<Both> = fc.oneof(
  clear,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  // and takes what has no member, and an empty member of `;`, for other things than the RFC
  fc.array(member, { minLength: 1, maxLength: 3 }),
  fc.array(fc.tuple(member, member), { minLength: 1, maxLength: 3 }).map((all) => Object.fromEntries(all))
)
const compared = withValues<Both>(["", "*", ":1", ":3"], (sign, { modifier }) =>
  modifier.startsWith(":") ? (sign === "+" || sign === "#" ? short.reserved : short.plain) : any
)

/** A URI with the hexadecimal digits of its escapes in one case. */
const normal = (uri: string): string => uri.replaceAll(/%../g, (escape) => escape.toUpperCase())

/** Templates, and values of which matching can give everything back. */
const matchable = withValues<UriTemplate.Value>(["", "*", ":2"], (sign, { modifier, name }, at, isLast) => {
  const isMarked = sign !== "" && sign !== "+"
  // without a mark of the operator's an empty value is none
  const isBegun = (value: string): boolean => isMarked || at > 0 || (value !== "" && !value.startsWith(","))
  const one = text.filter(isBegun)
  const list = fc.tuple(one, fc.array(text, { maxLength: 2 })).map(([first, more]) => [first, ...more])
  // a dot is both a separator and a character of values; no key is a name, nor that of another map
  const inside = sign === "." ? undotted : text
  const key = inside.map((end) => `${name}-${end}`)
  const pairs = fc.array(fc.tuple(key, inside), { minLength: 1, maxLength: 3 })
  // a pair of a reserved map is an item
  const isReserved = sign === "+" || sign === "#"
  const value: fc.Arbitrary<UriTemplate.Value> =
    modifier !== "*"
      ? one
      : isReserved
        ? list
        : fc.oneof(
            list,
            pairs.map((all) => new Map(all))
          )
  const isNamed = sign === ";" || sign === "?" || sign === "&"
  return isNamed || (isMarked && isLast) ? fc.option<UriTemplate.Value>(value) : value
})

const apart = UriTemplate.make("res://{host}{/path*}/-/{name}{;flag}{?q,tags*}{&rest*}{#part}")
const pairs = fc
  .uniqueArray(fc.tuple(filled, text), { minLength: 1, maxLength: 3, selector: ([key]) => key })
  .filter((all) => all.every(([key]) => !["q", "tags", "rest"].includes(key)))
const apartValues = fc.record(
  {
    host: filled,
    path: fc.array(text, { minLength: 1, maxLength: 3 }).filter((all) => !all.includes("-")),
    name: filled,
    flag: text,
    q: text,
    tags: fc.array(text, { minLength: 1, maxLength: 3 }),
    rest: pairs.map((all) => new Map(all)),
    part: text.map((value) => value.replaceAll("%", ""))
  },
  { noNullPrototype: true }
)

const wild = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc
    .array(fc.constantFrom("{", "}", "+", "#", "*", ":", "1", ",", "%", "%C3", "%a9", "/", "x", "\ud800", "é", "?x="))
    .map((all) => all.join(""))
)
const repeated = template(["", "*", ":1", ":9999"]).map((pieces) => written(pieces).replaceAll(/v\d\d/g, "v"))
const sources = fc.oneof(
  wild,
  repeated,
  fc.tuple(repeated, wild).map(([start, end]) => start + end)
)
const anyValue = UriTemplate.make("a{x}{+x:2}{/x*}{?x}{&y*}{#y}")

/** Templates expand as RFC 6570 says, matching gives back what expands to the same, and no text makes them throw. */
export const templates = target(
  "templates",
  several(
    check("expanded as url-template does, where both follow the RFC", compared, ([source, values]) => {
      const parsed = parseTemplate(source)
      assert.equal(UriTemplate.expand(UriTemplate.make(source), values), parsed.expand({ ...values }))
    }),
    check("what a template makes is matched, by values that make it again", matchable, ([source, values]) => {
      const read = UriTemplate.make(source)
      const uri = UriTemplate.expand(read, values)
      const matched = UriTemplate.match(read, uri)
      assert(matched !== undefined)
      assert.equal(normal(UriTemplate.expand(read, matched)), normal(uri))
    }),
    check("the values themselves, where reserved characters keep them apart", apartValues, (given) =>
      assert.deepStrictEqual({ ...UriTemplate.match(apart, UriTemplate.expand(apart, given)) }, given)
    ),
    check(
      "what a URI says is what its equivalent says",
      fc.tuple(sources, wild, fc.boolean()),
      ([source, other, isMade]) => {
        const read = UriTemplate.parse(source)
        if (read instanceof UriTemplate.MalformedTemplate) return
        const matched = UriTemplate.match(read, isMade ? UriTemplate.expand(read, { v: other }) : other)
        if (matched === undefined) return
        assert.deepStrictEqual(UriTemplate.match(read, UriTemplate.expand(read, matched)), matched)
      }
    ),
    check("any text as a value, or as a URI", fc.tuple(wild, wild), ([x, y]) => {
      const uri = UriTemplate.expand(anyValue, { x, y: [x, y] })
      assert.match(uri, /^[!-~]*$/)
      UriTemplate.match(anyValue, uri)
      UriTemplate.match(anyValue, `a${x}`)
    })
  ),
  ({ holds }) => holds()
)
