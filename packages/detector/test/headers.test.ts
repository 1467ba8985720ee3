import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { redacting } from "../src/redact.ts"
import { secretArgs, secretsOfUrl } from "../src/secretsIn.ts"
import { headersOf } from "../src/transports.ts"

describe("headers of a server", () => {
  it("are those of its entry, of the options, and the key, the later laid over, however they are spelled", () => {
    expect(
      headersOf({ headers: { A: "options", c: "c" }, apiKey: "k" }, { a: "entry", b: "b", Authorization: "x" })
    ).toEqual({
      A: "options",
      b: "b",
      c: "c",
      authorization: "Bearer k"
    })
    expect(headersOf({}, { a: "entry" })).toEqual({ a: "entry" })
    expect(headersOf({})).toEqual({})
  })
  it.effect("that are made anew for each request are so", () =>
    Effect.gen(function* () {
      let n = 0
      const headers = headersOf({ headers: Effect.sync(() => ({ n: `${++n}` })), apiKey: "k" }, { a: "entry" })
      if (!Effect.isEffect(headers)) return expect.fail("they are no effect")
      expect(yield* headers).toEqual({ a: "entry", n: "1", authorization: "Bearer k" })
      return expect(yield* headers).toMatchObject({ n: "2" })
    })
  )
})

describe("what no error repeats", () => {
  it("is hidden as it is, percent-encoded, and word by word", () => {
    const hide = redacting(["Bearer s3cr3t-token", "a b/c?", "x"])
    expect(hide("the key s3cr3t-token, Bearer s3cr3t-token, a%20b%2Fc%3F, a b/c?, x")).toBe(
      "the key ***, ***, ***, ***, x"
    )
    expect(redacting([])("as it is")).toBe("as it is")
    expect(redacting(["abcd", "abcdefgh"])("abcdefgh abcd")).toBe("*** ***")
  })
  it("is hidden in part where a text was cut in it, and as JSON has it", () => {
    const hide = redacting(["Bearer s3cr3t-token-of-ours", 'pass"word\\'])
    expect(hide("no such key: s3cr3t-tok…, Bearer s3cr3t-to…, nor s3cr3t-token-of")).toBe(
      "no such key: ***…, ***…, nor ***"
    )
    expect(hide("token-of-ours is wrong")).toBe("*** is wrong")
    expect(hide(`it said ${JSON.stringify('pass"word\\')}`)).toBe('it said "***"')
    expect(hide("Bearer of a ring…, token-of-love")).toBe("Bearer of a ring…, token-of-love")
  })
  it("costs little to find, however often a text nearly repeats it", () => {
    const hide = redacting(["a".repeat(30_000) + "b"])
    expect(hide("a".repeat(60_000)).length).toBeLessThan(60_001)
    expect(secretArgs([`--${"key".repeat(300_000)}!`])).toEqual([])
  })
  it("is what options and variables with such a name are given, and what a query says", () => {
    expect(secretArgs(["--api-key", "one", "--token=two", "-y", "three", "--PASSWORD", "four", "--auth"])).toEqual([
      "one",
      "two",
      "four"
    ])
    expect(secretArgs(["API_KEY=one", "-e", "A=two", "--env=B=three", "-e", "C", "LEVEL=info", "key"])).toEqual([
      "one",
      "two",
      "three"
    ])
    expect(secretArgs(["--header", "X: one", "-H", "Authorization:Bearer two", "--header=Y: three"])).toEqual([
      "one",
      "Bearer two",
      "three"
    ])
    expect(secretArgs(["postgres://me:one%20@db/x", "https://a/b?k=two", "--url=https://a/?k=three", "c://d"])).toEqual(
      ["one%20", "one%20", "?k=two", "two", "?k=three", "three"]
    )
    expect(secretsOfUrl("https://a/b?key=v%20w")).toEqual(["?key=v%20w", "v w"])
    expect(secretsOfUrl("https://a/b")).toEqual([])
  })
})
