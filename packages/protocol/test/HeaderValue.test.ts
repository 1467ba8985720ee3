import { HeaderValue, Invalid } from "@effective-mcp/protocol"
import { describe, expect, it } from "vitest"

/** The examples of the specification and of its proposal: a value, and the text of its header. */
const examples: ReadonlyArray<readonly [value: string | number | boolean, header: string]> = [
  ["us-west1", "us-west1"],
  ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
  [" padded ", "=?base64?IHBhZGRlZCA=?="],
  ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
  ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
  [" us-west1", "=?base64?IHVzLXdlc3Qx?="],
  ["us-west1 ", "=?base64?dXMtd2VzdDEg?="],
  ["us west 1", "us west 1"],
  ["日本語", "=?base64?5pel5pys6Kqe?="],
  ["line1\r\nline2", "=?base64?bGluZTENCmxpbmUy?="],
  ["\tindented", "=?base64?CWluZGVudGVk?="],
  ["", ""],
  ["file:///path/to/file%20name.txt", "file:///path/to/file%20name.txt"],
  ["https://example.com/resource?id=123", "https://example.com/resource?id=123"],
  [42, "42"],
  [-7, "-7"],
  [true, "true"],
  [false, "false"]
]

describe("a value in a header", () => {
  it("is written as the specification's examples are, and read back", () => {
    for (const [value, header] of examples) {
      expect([value, HeaderValue.encode(value)]).toStrictEqual([value, header])
      expect([header, HeaderValue.decode(header)]).toStrictEqual([header, String(value)])
      expect([value, HeaderValue.mismatch(header, value)]).toStrictEqual([value, undefined])
    }
  })

  it("HTTP-26 is plain where it can be, else Base64, and never breaks its line", () => {
    expect(HeaderValue.encode("eu-north9")).toBe("eu-north9")
    for (const value of ["Grüße, мир", " pad ", "l1\nl2", "=?base64?raw?=", "a\r\nX-Evil: 1"]) {
      const header = HeaderValue.encode(value)
      expect(header).toMatch(/^=\?base64\?[A-Za-z0-9+/]+=*\?=$/)
      expect(HeaderValue.decode(header)).toBe(value)
    }
  })

  it("is not a number that is no safe integer", () => {
    for (const value of [2 ** 53, -(2 ** 53), 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(HeaderValue.encode(value)).toBeUndefined()
    expect(HeaderValue.encode(2 ** 53 - 1)).toBe("9007199254740991")
    expect(HeaderValue.encode(1 - 2 ** 53)).toBe("-9007199254740991")
    expect(HeaderValue.encode(-0)).toBe("0")
  })

  it("is Base64 where a tab stands inside, or where the marks overlap", () => {
    expect(HeaderValue.encode("a\tb")).toBe("=?base64?YQli?=")
    expect(HeaderValue.encode("=?base64?=")).toBe("=?base64?PT9iYXNlNjQ/PQ==?=")
    expect(HeaderValue.decode("a\tb")).toBe("a\tb")
  })
})

describe("reading a header", () => {
  it("takes the space around a value for the wire's", () => {
    expect(HeaderValue.decode(" \tfoo \t")).toBe("foo")
    expect(HeaderValue.decode(" =?base64?SGVsbG8=?= ")).toBe("Hello")
    expect(HeaderValue.decode(" \t ")).toBe("")
  })

  it("takes marks that are not exactly right for text", () => {
    for (const header of ["SGVsbG8=", "=?base64?SGVsbG8=", "SGVsbG8=?=", "=?BASE64?SGVsbG8=?=", "=?base64 ?SGVsbG8=?="])
      expect(HeaderValue.decode(header)).toBe(header)
  })

  it("says what is wrong, and never what was sent", () => {
    const wrong: ReadonlyArray<readonly [header: string, detail: string]> = [
      ["=?base64?SGVsbG8?=", "not Base64"],
      ["=?base64?SGVs!!!bG8=?=", "not Base64"],
      ["=?base64?SGVsbG9=?=", "not Base64"],
      ["=?base64?SGVs bG8=?=", "not Base64"],
      ["=?base64?SGVsbG8-_w==?=", "not Base64"],
      ["=?base64?=", "not Base64"],
      ["=?base64?/w==?=", "not UTF-8"],
      ["=?base64?7aCA?=", "not UTF-8"],
      ["a\r\nb", "a character that a header may not hold"],
      ["a\u0000", "a character that a header may not hold"],
      ["naïve", "a character that a header may not hold"],
      ["a\u007f", "a character that a header may not hold"],
      ["a\n", "a character that a header may not hold"]
    ]
    for (const [header, detail] of wrong)
      expect([header, HeaderValue.decode(header)]).toStrictEqual([header, new Invalid(detail)])
  })

  it("keeps a byte order mark, and reads an empty value in Base64", () => {
    expect(HeaderValue.decode("=?base64?77u/YQ==?=")).toBe("\ufeffa")
    expect(HeaderValue.decode("=?base64??=")).toBe("")
  })
})

describe("a header against the body", () => {
  it("HTTP-26 is compared decoded, integers as numbers, and is there exactly when the value is", () => {
    const rows: ReadonlyArray<readonly [header: string | undefined, value: unknown, says: string | undefined]> = [
      ["42.0", 42, undefined],
      ["42", 42, undefined],
      ["4.2e1", 42, undefined],
      ["1e+06", 1_000_000, undefined],
      ["-7.00", -7, undefined],
      ["-0", 0, undefined],
      ["0.0", 0, undefined],
      ["042", 42, undefined],
      ["9007199254740991.0", 2 ** 53 - 1, undefined],
      ["9007199254740991.4", 2 ** 53 - 1, "Different"],
      ["42.0000000000000000001", 42, "Different"],
      ["9007199254740993", 2 ** 53, "Different"],
      ["420", 42, "Different"],
      ["4.2", 42, "Different"],
      ["-42", 42, "Different"],
      ["+42", 42, "Different"],
      ["0x2a", 42, "Different"],
      ["", 0, "Different"],
      ["42 ", 42, undefined],
      ["NaN", Number.NaN, "Different"],
      ["=?base64?NDI=?=", 42, undefined],
      ["42", "42", undefined],
      ["42.0", "42", "Different"],
      ["true", true, undefined],
      ["True", true, "Different"],
      ["1", true, "Different"],
      ["foo", "foo", undefined],
      ["Foo", "foo", "Different"],
      ["=?base64?SGVsbG8=?=", "Hello", undefined],
      ["=?base64?SGVsbG8?=", "Hello", "Malformed"],
      ["", "", undefined],
      [undefined, "", "Missing"],
      [undefined, 0, "Missing"],
      [undefined, false, "Missing"],
      [undefined, undefined, undefined],
      [undefined, null, undefined],
      ["x", undefined, "Unexpected"],
      ["null", null, "Unexpected"],
      ["[object Object]", {}, "Different"],
      ["a", ["a"], "Different"]
    ]
    for (const [header, value, says] of rows)
      expect([header, value, HeaderValue.mismatch(header, value)]).toStrictEqual([header, value, says])
  })

  it("takes time in proportion to a long number", () => {
    const zeros = "0".repeat(100_000)
    for (const header of [
      `${zeros}2.${zeros}`,
      `2${zeros}2.${zeros}2`,
      `${zeros}x`,
      `1.${zeros}x`,
      `a${" ".repeat(100_000)}b`
    ]) {
      const from = performance.now()
      expect(HeaderValue.mismatch(header, 1)).toBe("Different")
      expect(HeaderValue.encode(header)).toBe(header)
      expect(performance.now() - from).toBeLessThan(1_000)
    }
  })
})

describe("half a surrogate pair", () => {
  it("is the same in a header as in the body", () => {
    for (const value of ["\ud800", "a\udc00b", "\udc00\ud800"])
      expect(HeaderValue.mismatch(HeaderValue.encode(value), value)).toBeUndefined()
  })
})
