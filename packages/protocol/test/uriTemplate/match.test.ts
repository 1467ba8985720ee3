import { UriTemplate } from "@effective-mcp/protocol"
import { describe, expect, it } from "vitest"

/** What a URI says of a template's variables, maps as entries, as plain data. */
const match = (template: string, uri: string, options?: UriTemplate.Options): unknown => {
  const matched = UriTemplate.match(UriTemplate.make(template, options), uri)
  if (matched === undefined) return undefined
  return Object.fromEntries(
    Object.entries(matched).map(([name, value]) => [name, value instanceof Map ? [...value] : value])
  )
}

/** For a template: URIs, each with what it says. */
const table = (rows: ReadonlyArray<readonly [template: string, uri: string, says: unknown]>): void => {
  for (const [template, uri, says] of rows)
    expect([template, uri, match(template, uri)]).toStrictEqual([template, uri, says])
}

describe("matching", () => {
  it("takes text for text, and nothing before or after it", () => {
    table([
      ["", "", {}],
      ["", "x", undefined],
      ["res://a", "res://a", {}],
      ["res://a", "res://ab", undefined],
      ["res://a", "xres://a", undefined],
      ["res://{x}", "RES://a", undefined],
      ["res://{x}/end", "res://a/end", { x: "a" }],
      ["res://{x}/end", "res://a/end/", undefined],
      ["res://{x}/end", "res://a/en", undefined]
    ])
  })

  it("keeps a simple variable within its segment, and lets reserved ones and lists of segments go further", () => {
    table([
      ["f:///{x}", "f:///a/b", undefined],
      ["f:///{x}", "f:///a?b", undefined],
      ["f:///{x}", "f:///a%2Fb", { x: "a/b" }],
      ["f:///{+x}", "f:///a/b?c#d", { x: "a/b?c#d" }],
      ["f://{/x*}", "f:///a/b", { x: ["a", "b"] }],
      ["f://{/x}", "f:///a/b", undefined],
      ["f:///{+dir}/{file}", "f:///a/b/c.txt", { dir: "a/b", file: "c.txt" }],
      ["f:///a{#x}", "f:///a#b/c", { x: "b/c" }]
    ])
  })

  it("wants a character of what leaves no mark, and lets what leaves one be absent", () => {
    table([
      ["res://{x}", "res://", undefined],
      ["res://{+x}", "res://", undefined],
      ["res://{x}/{y}", "res:///b", undefined],
      ["res://{x,y}", "res://a", { x: "a" }],
      ["res://{x,y}", "res://a,", { x: "a", y: "" }],
      ["res://{x,y}", "res://,b", undefined],
      ["res://{x*}", "res://a,", { x: ["a", ""] }],
      ["res://{x*}", "res://,a", undefined],
      ["res://a{.x}{/y}{;z}{?q}{#f}", "res://a", {}],
      ["res://a{.x}", "res://a.", { x: "" }],
      ["res://a{/x}", "res://a/", { x: "" }],
      ["res://a{?x,y}", "res://a?y=", { y: "" }],
      ["res://a{;x,y}", "res://a;x;y=1", { x: "", y: "1" }],
      ["res://a{;x}", "res://a;x=", undefined],
      ["res://a{?x}", "res://a?x", undefined],
      ["res://a{?x}", "res://a?", undefined]
    ])
  })

  it("has the parameters of a query in the order of the template, and no others", () => {
    table([
      ["r:a{?x,y,z}", "r:a?x=1&z=3", { x: "1", z: "3" }],
      ["r:a{?x,y}", "r:a?y=1&x=2", undefined],
      ["r:a{?x}", "r:a?x=1&w=2", undefined],
      ["r:a?x=1{&y}", "r:a?x=1&y=2", { y: "2" }],
      ["r:a{?x}", "r:a&x=1", undefined],
      ["r:a{?x,xy}", "r:a?xy=1", { xy: "1" }]
    ])
  })

  it("takes lists and maps apart", () => {
    table([
      ["{x*}", "a,b", { x: ["a", "b"] }],
      ["{x}", "a,b", undefined],
      ["{?x*}", "?x=a", { x: ["a"] }],
      ["{?x*}", "?x=a&x=", { x: ["a", ""] }],
      ["{?x*}", "?a=1&b=2", { x: [["a", "1"], ["b", "2"]] }], // prettier-ignore
      ["{?x*}", "?2=b&1=a", { x: [["2", "b"], ["1", "a"]] }], // prettier-ignore
      ["{?x*}", "?a=1&a=2", undefined],
      ["{?x*}", "?x=1&a=2", { x: [["x", "1"], ["a", "2"]] }], // prettier-ignore
      ["{;x*}", ";a;b=2", { x: [["a", ""], ["b", "2"]] }], // prettier-ignore
      ["{/x*}", "/a=1/b=", { x: [["a", "1"], ["b", ""]] }], // prettier-ignore
      ["{/x*}", "/a=1/b", undefined],
      ["{/x*}", "//", { x: ["", ""] }],
      ["www{.x*}", "www.a.b", { x: ["a", "b"] }],
      ["{+x*}", "a/b,c=d", { x: ["a/b", "c=d"] }]
    ])
  })

  it("gives the most variables a value, then the leftmost the longest", () => {
    table([
      ["{a}{b}", "xyz", { a: "xy", b: "z" }],
      ["{name}.{ext}", "a.tar.gz", { name: "a.tar", ext: "gz" }],
      ["{name}{.ext}", "a.tar.gz", { name: "a.tar", ext: "gz" }],
      ["{name}{.ext}", "a", { name: "a" }],
      ["{+path}{?q}{#f}", "/a?q=1#b", { path: "/a", q: "1", f: "b" }],
      ["{+path}{?q}{#f}", "/a#b", { path: "/a", f: "b" }],
      ["{+path}{?q}", "/a?r=1", { path: "/a?r=1" }],
      ["{/a*,b}", "/x/y/z", { a: ["x", "y"], b: "z" }],
      ["{/a*,b}", "/x", { a: ["x"] }],
      ["{/a*}{/b}", "/x/y/z", { a: ["x", "y"], b: "z" }],
      ["{?a*,b}", "?c=1&b=2", { a: [["c", "1"]], b: "2" }],
      ["{?a*,b*}", "?b=1&b=2", { b: ["1", "2"] }],
      ["{?a*,b*}", "?bc=1&b=2", { a: [["bc", "1"]], b: ["2"] }],
      ["{?a*}{&b*}", "?b=1", { a: [["b", "1"]] }],
      ["{?a*}{&b*}", "?x=1&b=2&b=3&b=4", { a: [["x", "1"]], b: ["2", "3", "4"] }],
      ["{?a}-{&b*}{&c*}", "-&c=&c=&c=", { c: ["", "", ""] }],
      ["{?a*}{&b*}", "?x=1&x=2&b=3", undefined],
      ["{+a,b}", "x,y,z", { a: "x,y", b: "z" }],
      ["{+a}/b{c}", "x/b/y/bz", { a: "x/b/y", c: "z" }]
    ])
  })

  it("holds a prefix to its length, counted in characters", () => {
    table([
      ["{x:3}", "abcd", undefined],
      ["{x:3}{y}", "abcdef", { x: "abc", y: "def" }],
      ["{x:2}", "%F0%9F%A6%9C%C3%A9", { x: "🦜é" }],
      ["{x:1}", "%F0%9F%A6%9C%C3%A9", undefined],
      ["{+x:2}", "%2F%2F", { x: "%2F%2F" }]
    ])
  })

  it("gives a name that occurs twice one value, or none at all", () => {
    table([
      ["{x}/{x}", "a/a", { x: "a" }],
      ["{x}/{x}", "a/b", undefined],
      ["{/x:1,x}", "/a/abc", { x: "abc" }],
      ["{/x:1,x}", "/b/abc", undefined],
      ["a{/x}{?x}", "a/b", undefined]
    ])
  })
})

describe("escapes", () => {
  it("are decoded once, whatever their case, in text and in values", () => {
    table([
      ["r://{x}", "r://caf%c3%A9", { x: "café" }],
      ["r://café/{x}", "r://caf%c3%a9/a", { x: "a" }],
      ["r://caf%C3%A9/{x}", "r://café/é", { x: "é" }],
      ["r://{x}", "r://%252F", { x: "%2F" }],
      ["%7euser/{x}", "~user/%7E", { x: "~" }],
      ["{x}", "a b", { x: "a b" }],
      ["{x}", "%00%0A", { x: "\u0000\n" }]
    ])
  })

  it("are not decoded where that would make another URI", () => {
    table([
      ["{+x}", "a%2Fb/c%20d%41", { x: "a%2Fb/c dA" }],
      ["{+x}", "100%25", { x: "100%" }],
      ["{+x}", "%2541", { x: "%2541" }],
      ["{+x}", "%FF%C3", { x: "%FF%C3" }],
      ["a/b", "a%2Fb", undefined],
      ["a%2Fb", "a/b", undefined]
    ])
  })

  it("that are malformed, or no text, match nothing", () => {
    for (const uri of ["%", "%4", "%zz", "a%", "%C3%", "\ud800", "a\udc00b"])
      expect([match("{+x}", uri), match("{x}", uri)]).toStrictEqual([undefined, undefined])
    for (const bytes of ["%FF", "%C3", "%C0%AF", "%ED%A0%80", "%F5%80%80%80", "%F0%80%80%AF", "%80"])
      expect([bytes, match("{x}", bytes), match("{+x}", bytes)]).toStrictEqual([bytes, undefined, { x: bytes }])
  })
})

describe("hostile", () => {
  const timed = (template: string, uri: string): { readonly matched: boolean; readonly ms: number } => {
    const read = UriTemplate.make(template, { uriLength: 1_000_000, templateWork: 1_000_000_000 })
    const from = performance.now()
    const matched = UriTemplate.match(read, uri) !== undefined
    return { matched, ms: performance.now() - from }
  }

  it("FEA-10 a long URI costs time in proportion, and by default is not looked at", () => {
    for (const template of ["res://x{/id*}", "res://x{?q*}", "res://x{;q*}", "res://{a}/{b}"]) {
      for (const piece of ["/a,", ",", "/a", ";a", "&q=1"]) {
        const uri = `res://x${piece.repeat(50_000)}`
        expect(match(template, uri)).toBeUndefined()
        const small = timed(template, uri.slice(0, uri.length / 10))
        const large = timed(template, uri)
        expect(large.ms).toBeLessThan(small.ms * 100 + 500)
      }
    }
  })

  it("FEA-10 values are decoded once, and expand to the same URI again", () => {
    const template = UriTemplate.make("res://{a}/{b}")
    const matched = UriTemplate.match(template, "res://caf%C3%A9/a%2Fb")
    expect(matched).toEqual({ a: "café", b: "a/b" })
    expect(UriTemplate.expand(template, matched ?? {})).toBe("res://caf%C3%A9/a%2Fb")
  })

  it("many reserved variables in a row take bounded time, with and without an answer", () => {
    const row = "{+a}{+b}{c}{+d}{e}{+f}{g}{+h}{+i}{j}{+k}{+l}{m}{+n}{+o}{p}"
    for (const uri of ["x".repeat(100_000), "/".repeat(100_000), "a/".repeat(50_000), `${"a".repeat(99_999)}/`])
      expect(timed(row, uri).ms).toBeLessThan(5_000)
    expect(timed(row, "a".repeat(100_000)).matched).toBe(true)
    expect(timed(row, "/".repeat(100_000)).matched).toBe(false)
  })

  const names = Array.from({ length: 32 }, (_, at) => `v${at}`)
  const heavy = [
    `{?${names.map((name) => `${name}*`).join(",")}}`,
    names.map((name) => `{;${name}*}`).join(""),
    names.map((name) => `{+${name}:9999}`).join(""),
    names.map((name) => `{+${name}}${"a".repeat(240)}`).join(""),
    `{+x}${"a".repeat(8_000)}`
  ]

  it("the largest template and URI of the defaults take bounded time", () => {
    for (const template of heavy) {
      const read = UriTemplate.make(template)
      for (const piece of ["a=1&", ";v1", "a", ";"]) {
        const from = performance.now()
        UriTemplate.match(read, `?${piece.repeat(16_384)}`.slice(0, read.uriLength))
        expect(performance.now() - from).toBeLessThan(1_500)
      }
    }
  })

  it("a template of many steps is matched against shorter URIs alone, and one of few against any", () => {
    for (const template of heavy) {
      const { program, strict, uriLength } = UriTemplate.make(template)
      const steps = program.steps.length + (strict?.steps.length ?? 0)
      expect(steps * uriLength).toBeLessThanOrEqual(2_000_000)
    }
    expect(heavy.map((template) => UriTemplate.make(template).uriLength < 16_384)).toEqual([
      true,
      true,
      false,
      true,
      true
    ])
    for (const template of ["file:///{+path}", "res://{a}/{b}{/c*}{?q,page,sort}{#part}"]) {
      expect(UriTemplate.make(template).uriLength).toBe(16_384)
    }
    const [list] = heavy
    const uri = (size: number): string => `?v0=${"a".repeat(size - 4)}`
    const { uriLength } = UriTemplate.make(list!)
    expect(match(list!, uri(uriLength))).toBeDefined()
    expect(match(list!, uri(uriLength + 1))).toBeUndefined()
    const more = UriTemplate.make(list!, { templateWork: 20_000_000 })
    expect(UriTemplate.match(more, uri(uriLength + 1))).toBeDefined()
    expect(() => UriTemplate.make(list!, { templateWork: 0 })).toThrow("templateWork")
  })

  it("names and keys that objects have anyway are like any other", () => {
    const matched = UriTemplate.match(UriTemplate.make("{__proto__}{/constructor}{?m*}"), "a/b?__proto__=c")
    expect(Object.getPrototypeOf(matched)).toBeNull()
    expect(Object.entries(matched ?? {})).toStrictEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
      ["m", new Map([["__proto__", "c"]])]
    ])
    expect(UriTemplate.match(UriTemplate.make("{x}"), "a")).not.toHaveProperty("toString")
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("a")
  })
})
