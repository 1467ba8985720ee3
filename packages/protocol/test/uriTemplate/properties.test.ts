import { UriTemplate } from "@effective-mcp/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseTemplate } from "url-template"

/** What both libraries take for a value. */
type Both = string | number | boolean | null | Array<string> | { [key: string]: string }

interface Spec {
  readonly name: string
  readonly modifier: string
}

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.stringMatching(/^[a-c/,.;=&?#%12F ]{0,6}$/),
  fc.constantFrom("", "a/b", "%2F", "100%", "é", "__proto__")
)
const filled = text.filter((value) => value !== "")

const undotted = text.filter((value) => !value.includes("."))

const literal = fc.constantFrom("", "a", "/", "?x=", "b.c", "%2F", "é", "-", "res://x/", "'!")
const operator = fc.constantFrom("", "+", "#", ".", "/", ";", "?", "&")

/** A template whose names do not repeat, as its pieces. */
const template = (modifiers: ReadonlyArray<string>) =>
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

const written = (pieces: ReadonlyArray<{ readonly written: string }>): string =>
  pieces.map((piece) => piece.written).join("")

describe("expanding", () => {
  it("is what url-template does, where both follow the RFC", () => {
    // url-template takes a percent sign and one digit for an escape, and cuts escapes and UTF-16 in two
    const isClear = (value: string): boolean => !/%[0-9A-Fa-f]/.test(value.replaceAll(/%[0-9A-Fa-f]{2}/g, " "))
    const member = filled.filter(isClear)
    const short = { plain: fc.stringMatching(/^[a-z%/é ]{0,5}$/), reserved: fc.stringMatching(/^[a-z/é]{0,5}$/) }
    const any = fc.oneof(
      text.filter(isClear),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      // and takes what has no member, and an empty member of `;`, for other things than the RFC
      fc.array(member, { minLength: 1, maxLength: 3 }),
      fc.dictionary(member, member, { minKeys: 1, maxKeys: 3, noNullPrototype: true })
    )
    const cases = template(["", "*", ":1", ":3"]).chain((pieces) => {
      const values = pieces.flatMap(({ sign, specs }) =>
        specs.map(({ modifier, name }) => {
          const cut = sign === "+" || sign === "#" ? short.reserved : short.plain
          return [name, modifier.startsWith(":") ? cut : any]
        })
      )
      return fc.tuple(fc.constant(pieces), fc.record<{ [name: string]: Both }>(Object.fromEntries(values)))
    })
    fc.assert(
      fc.property(cases, ([pieces, values]) => {
        const source = written(pieces)
        const parsed = parseTemplate(source)
        expect(UriTemplate.expand(UriTemplate.make(source), values)).toBe(parsed.expand(values))
      }),
      { numRuns: 1_000 }
    )
  })
})

/** A URI with the hexadecimal digits of its escapes in one case. */
const normal = (uri: string): string => uri.replaceAll(/%../g, (escape) => escape.toUpperCase())

/** Templates, and values of which matching can give everything back. */
const matchable = template(["", "*", ":2"]).chain((pieces) => {
  const valueOf = (
    sign: string,
    { modifier, name }: Spec,
    at: number,
    isLast: boolean
  ): fc.Arbitrary<UriTemplate.Value> => {
    const isMarked = sign !== "" && sign !== "+"
    // without a mark of the operator's an empty value is none
    const isBegun = (value: string): boolean => isMarked || at > 0 || (value !== "" && !value.startsWith(","))
    const one = text.filter(isBegun)
    const list = fc.tuple(one, fc.array(text, { maxLength: 2 })).map(([first, more]) => [first, ...more])
    // a dot is both a separator and a character of values; no key is a name, nor that of another map
    const member = sign === "." ? undotted : text
    const pairs = fc.array(
      fc.tuple(
        member.map((key) => `${name}-${key}`),
        member
      ),
      { minLength: 1, maxLength: 3 }
    )
    const several = [list, pairs.map((all) => new Map(all))]
    // a pair of a reserved map is an item
    const isReserved = sign === "+" || sign === "#"
    const value = modifier !== "*" ? one : isReserved ? list : fc.oneof(...several)
    const isNamed = sign === ";" || sign === "?" || sign === "&"
    return isNamed || (isMarked && isLast) ? fc.option<UriTemplate.Value>(value) : value
  }
  const values = pieces.flatMap(({ sign, specs }) =>
    specs.map((spec, at) => [spec.name, valueOf(sign, spec, at, at === specs.length - 1)])
  )
  return fc.tuple(fc.constant(pieces), fc.record<{ [name: string]: UriTemplate.Value }>(Object.fromEntries(values)))
})

describe("matching", () => {
  it("takes every URI that a template makes, and finds values that make it again", () => {
    fc.assert(
      fc.property(matchable, ([pieces, values]) => {
        const read = UriTemplate.make(written(pieces))
        const uri = UriTemplate.expand(read, values)
        const matched = UriTemplate.match(read, uri)
        expect(matched).toBeDefined()
        expect(normal(UriTemplate.expand(read, matched ?? {}))).toBe(normal(uri))
      }),
      { numRuns: 2_000 }
    )
  })

  it("gives back the values themselves where reserved characters keep them apart", () => {
    const read = UriTemplate.make("res://{host}{/path*}/-/{name}{;flag}{?q,tags*}{&rest*}{#part}")
    const pairs = fc
      .uniqueArray(fc.tuple(filled, text), { minLength: 1, maxLength: 3, selector: ([key]) => key })
      .filter((all) => all.every(([key]) => !["q", "tags", "rest"].includes(key)))
    const values = fc.record(
      {
        host: filled,
        path: fc.array(text, { minLength: 1, maxLength: 3 }).filter((all) => !all.includes("-")),
        name: filled,
        flag: text,
        q: text,
        tags: fc.array(text, { minLength: 1, maxLength: 3 }),
        rest: pairs.map((all) => new Map(all)),
        part: text.filter((value) => !value.includes("%"))
      },
      { noNullPrototype: true }
    )
    fc.assert(
      fc.property(values, (given) => {
        expect({ ...UriTemplate.match(read, UriTemplate.expand(read, given)) }).toStrictEqual(given)
      }),
      { numRuns: 2_000 }
    )
  })

  it("finds an answer exactly when there is one", () => {
    const letters = ["a", "/", "."]
    const uris = [1, 2, 3, 4].flatMap((length) =>
      Array.from({ length: letters.length ** length }, (_, number) =>
        Array.from({ length }, (_, at) => letters[Math.floor(number / letters.length ** at) % letters.length]).join("")
      )
    )
    const texts = ["", ...uris]
    const sources = ["{x}{+y}", "{+x}/{y}", "{x}.{y}", "{x}{.y}", "{+x}{/y}", "a{/x}{+y}", "{x:1}{y}", "{+x}a{y:1}"]
    for (const source of sources) {
      const read = UriTemplate.make(source)
      const values = (variable: string): ReadonlyArray<string | undefined> =>
        new RegExp(`\\{\\+?${variable}`).test(source) ? texts.slice(1) : [...texts, undefined]
      const made = new Set(values("x").flatMap((x) => values("y").map((y) => UriTemplate.expand(read, { x, y }))))
      for (const uri of uris)
        expect([source, uri, UriTemplate.match(read, uri) !== undefined]).toStrictEqual([source, uri, made.has(uri)])
    }
  })
})

describe("no text makes them throw", () => {
  const wild = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc
      .array(fc.constantFrom("{", "}", "+", "#", "*", ":", "1", ",", "%", "%C3", "%a9", "/", "x", "\ud800", "é", "?x="))
      .map((all) => all.join(""))
  )

  it("as a template, or as a URI; and what a URI says is what its equivalent says", () => {
    const repeated = template(["", "*", ":1", ":9999"]).map((pieces) => written(pieces).replaceAll(/v\d\d/g, "v"))
    const sources = fc.oneof(
      wild,
      repeated,
      fc.tuple(repeated, wild).map(([start, end]) => start + end)
    )
    fc.assert(
      fc.property(sources, wild, fc.boolean(), (source, other, isMade) => {
        const read = UriTemplate.parse(source)
        if (read instanceof UriTemplate.MalformedTemplate) return
        const matched = UriTemplate.match(read, isMade ? UriTemplate.expand(read, { v: other }) : other)
        if (matched === undefined) return
        expect(UriTemplate.match(read, UriTemplate.expand(read, matched))).toStrictEqual(matched)
      }),
      { numRuns: 3_000 }
    )
  })

  it("as a value, or as a URI", () => {
    const read = UriTemplate.make("a{x}{+x:2}{/x*}{?x}{&y*}{#y}")
    fc.assert(
      fc.property(wild, wild, (x, y) => {
        const uri = UriTemplate.expand(read, { x, y: [x, y] })
        expect(uri).toMatch(/^[!-~]*$/)
        UriTemplate.match(read, uri)
        UriTemplate.match(read, `a${x}`)
      }),
      { numRuns: 2_000 }
    )
  })
})
