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
  it("is what options with such a name are given, and what a query says", () => {
    expect(secretArgs(["--api-key", "one", "--token=two", "-y", "three", "--PASSWORD", "four", "--auth"])).toEqual([
      "one",
      "two",
      "four",
      ""
    ])
    expect(secretsOfUrl("https://a/b?key=v%20w")).toEqual(["?key=v%20w", "v w"])
    expect(secretsOfUrl("https://a/b")).toEqual([])
  })
})
