import { describe, expect, it } from "vitest"
import { fits, outcome, refusal } from "./outcome.ts"

type Row = readonly [pattern: string, matches: ReadonlyArray<string>, others: ReadonlyArray<string>]

const rows: ReadonlyArray<Row> = [
  ["^a.c$", ["abc", "a🦜c"], ["a\nc", "a\u2028c", "abbc"]],
  ["^[^]$", ["\n", "x"], ["", "xx"]],
  ["[]", [], ["", "x"]],
  ["^\\d{2,3}$", ["12", "123"], ["1", "1234", "১২", "12\n"]],
  ["^\\w+\\W$", ["a_9-"], ["é-", "ab"]],
  ["^\\s$", [" ", "\t", "\u00a0", "\ufeff", "\u2029", "\u3000"], ["", "\u200b", "x"]],
  ["^\\S$", ["x", "\u200b", "🦜"], [" ", "\ufeff"]],
  ["^[\\S]$", ["x", "🦜"], [" ", "\u00a0"]],
  ["^[^\\s,]+$", ["a.b"], ["a b", "a,b"]],
  ["^\\p{Letter}\\p{Lu}\\P{L}$", ["éA1"], ["1A1", "éa1", "éAb"]],
  ["^[\\p{Script=Greek}\\p{Nd}]+$", ["αβ৩"], ["ab"]],
  ["^\\p{ASCII}\\P{ASCII}\\p{Any}$", ["aé\n"], ["éaa"]],
  ["^\\u0041\\x42\\cJ\\0$", ["AB\n\0"], ["ABJ0"]],
  ["^\\u{1f99c}\\uD83E\\uDD9C[🦜-🦟]$", ["🦜🦜🦞"], ["🦜🦜🦠"]],
  ["^🦜{2}$", ["🦜🦜"], ["🦜", "🦜\udd9c"]],
  ["^[\\w.+-]+@[\\w-]+\\.[a-z]+$", ["a.b+c@d-e.org"], ["a@b", "@b.c"]],
  ["^[\\b\\]\\\\^-]+$", ["\b]\\^-"], ["b"]],
  ["^[a\\-z]$", ["-", "a", "z"], ["b"]],
  ["^[[:alpha:]]$", [":]", "a]"], ["b"]],
  ["^a{,2}\\/\\-\\@$", ["a{,2}/-@"], ["aa/-@"]],
  ["^x{y}$", ["x{y}"], ["xy"]],
  ["(?:^|,)(?<name>b+?)(c)?$", ["b", "a,bbc"], ["ab"]],
  ["\\bend\\b", ["the end."], ["ending"]],
  ["^(a|b|)*$", ["", "abba"], ["c"]],
  ["^\\$\\^\\.\\*$", ["$^.*"], ["$^a*"]]
]

describe("a pattern means what it means in ECMAScript", () => {
  it.each(rows)("%s", (pattern, matches, others) => {
    for (const text of matches) expect([text, fits({ pattern }, text)]).toStrictEqual([text, true])
    for (const text of others) expect([text, fits({ pattern }, text)]).toStrictEqual([text, false])
  })
})

const refused: ReadonlyArray<readonly [why: string, pattern: string]> = [
  ["looking ahead", "(?=a)a"],
  ["looking ahead in the negative", "^(?!a)"],
  ["looking behind", "(?<=a)b"],
  ["looking behind in the negative", "(?<!a)b"],
  ["referring back", "(a)\\1"],
  ["referring back by name", "(?<n>a)\\k<n>"],
  ["flags in a group", "(?i)a"],
  ["groups of other languages", "(?P<n>a)"],
  ["escapes of other languages", "\\Aa\\z"],
  ["quoting of other languages", "\\Qa\\E"],
  ["a group that is not closed", "(a"],
  ["a group that is not open", "a)"],
  ["a set that is not closed", "[a"],
  ["a range that goes down", "[z-a]"],
  ["nothing to repeat", "*a"],
  ["a backslash at the end", "a\\"],
  ["a character that does not exist", "\\u{110000}"],
  ["a property that does not exist", "\\p{Nope}"],
  ["repetitions that multiply", "((a{60}){60}){60}"],
  ["repetitions side by side", "a{1000}".repeat(9)],
  ["alternatives without end", `(${"ab|".repeat(1300)}c)`],
  ["too many characters", "a".repeat(4097)]
]

describe("a pattern is refused for", () => {
  it.each(refused)("%s", (_why, pattern) => {
    expect(refusal({ properties: { a: { pattern } } })).toMatchObject({
      _tag: "BadPattern",
      at: "#/properties/a/pattern"
    })
    expect(refusal({ patternProperties: { [pattern]: {} } })).toMatchObject({
      _tag: "BadPattern",
      at: "#/patternProperties"
    })
  })

  it("being one of too many", () => {
    const of = (amount: number) => ({ anyOf: Array.from({ length: amount }, (_, i) => ({ pattern: `^${i}$` })) })
    expect(refusal(of(500))).toBeUndefined()
    expect(refusal(of(1000))?._tag).toBe("BadPattern")
  })
})

describe("R-182 FEA-09 a pattern of a peer", () => {
  /** For texts whose time is not the point: a busy machine is no failure. */
  const patient = { patternMs: 10_000 }
  const bomb = `${"a".repeat(60)}!`

  it("takes linear time, where backtracking would take for ever", () => {
    expect(outcome({ pattern: "^(a+)+$" }, bomb)).toStrictEqual([["", "pattern"]])
    expect(outcome({ pattern: "^(a+)+$" }, "a".repeat(100_000) + "!", patient)).toStrictEqual([["", "pattern"]])
    expect(outcome({ pattern: "^(\\w|\\d|[a-z])*$" }, bomb)).toStrictEqual([["", "pattern"]])
    expect(outcome({ patternProperties: { "^(a+)+$": false } }, { [bomb]: 1 })).toBe("fits")
  })

  it("never lets a value pass that it did not check, and ends in bounded time", () => {
    const values = Array.from({ length: 10_000 }, () => bomb)
    const start = performance.now()
    expect(outcome({ items: { pattern: "^(a+)+$" } }, values)).toHaveLength(20)
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  it("has a budget for all matches of a check", () => {
    const slow = "(a|b)*a(a|b){100}[c-e]"
    let seed = 1
    const random = () => ((seed = (seed * 48_271) % 2_147_483_647) % 2 === 0 ? "a" : "b")
    const values = Array.from({ length: 50 }, () => Array.from({ length: 5_000 }, random).join(""))
    const start = performance.now()
    expect(outcome({ items: { not: { pattern: slow } } }, values, { patternMs: 20 })).toBe("patterns")
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  it("does not match one text that is too long for it", () => {
    expect(outcome({ pattern: "^([a-z]{0,30}){0,30}$" }, "a".repeat(20_000))).toBe("match")
    expect(outcome({ pattern: "^[A-Za-z0-9+/]*={0,2}$" }, "a".repeat(1_000_000), patient)).toBe("fits")
    expect(outcome({ pattern: "^[a-z]*$" }, "a".repeat(100_000), patient)).toBe("fits")
  })
})
