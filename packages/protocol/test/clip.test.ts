import { clip, quote } from "@effective-mcp/protocol"
import { describe, expect, it } from "vitest"

describe("a text of a peer", () => {
  it("R-177 is repeated as it is up to 100 characters, and cut behind them", () => {
    for (const text of ["", "2026-07-28", "\u001b[2J", "x".repeat(100)]) expect(clip(text)).toBe(text)
    expect(clip("x".repeat(101))).toBe(`${"x".repeat(100)}…`)
    expect(clip("x".repeat(4_000_000))).toBe(`${"x".repeat(100)}…`)
  })
  it("is never cut inside a character", () => {
    expect(clip(`${"x".repeat(99)}🦜🦜`)).toBe(`${"x".repeat(99)}…`)
    expect(clip(`${"x".repeat(98)}🦜🦜`)).toBe(`${"x".repeat(98)}🦜…`)
  })
  it("stands in a sentence as it is when it is a word", () => {
    for (const word of ["nope", "tools/call", "2026-07-28", "io.x/y", "a_b:c@1.0", "x".repeat(100)]) {
      expect(quote(word)).toBe(word)
    }
  })
  it("stands in a sentence as a JSON string otherwise, so that its ends are seen", () => {
    expect(quote("")).toBe('""')
    expect(quote('no such tool, but "this"')).toBe('"no such tool, but \\"this\\""')
    expect(quote("é🦜")).toBe('"é🦜"')
    expect(quote("x".repeat(101))).toBe(`"${"x".repeat(100)}…"`)
  })
  it("R-177 stands in a sentence without anything that a terminal or a reader's eye would obey", () => {
    const hostile = "\u001b[2J\u009b2J\n\r\u0000\u007f\u202e\u2028\ufeff\u200b\u{e0041}\ud800"
    expect(quote(hostile)).toMatch(/^"[ -~]+"$/)
    expect(JSON.parse(quote(hostile))).toBe(hostile)
    expect(quote("\u001b".repeat(1_000)).length).toBeLessThan(700)
  })
})
