import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { EventReader } from "../../src/client/index.ts"

const encoder = new TextEncoder()

/** All that can be read in these parts. */
const read = (parts: ReadonlyArray<Uint8Array>, limit = 1_000) => {
  const reader = new EventReader(limit)
  const data = parts.flatMap((part) => reader.feed(part))
  return { data, lastId: reader.lastId, retryMs: reader.retryMs, failure: reader.failure }
}

const line = fc.oneof(
  fc.constantFrom(
    "data:",
    "data: x",
    "data:{}",
    "data",
    "id: 1",
    "id:",
    "id: é",
    "id: a\0b",
    "retry: 5",
    "retry: x",
    ": no"
  ),
  fc.constantFrom("event: message", "event: ping", "event:", "x: y", "", "", "\ufeff"),
  fc.string({ maxLength: 8, unit: "binary" })
)
const stream = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 30 })
  .map((lines) => lines.map(([text, end]) => text + end).join(""))

describe("an event stream from its bytes", () => {
  it("HTTP-20 reads the same wherever it is cut", () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(200), { maxLength: 12 }), (text, cuts) => {
        // a lone CR at the very end may be half of a line's end: what follows tells
        const bytes = encoder.encode(`${text}:\n`)
        const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length]
        const parts = at.slice(1).map((to, i) => bytes.slice(at[i], to))
        expect(read(parts)).toEqual(read([bytes]))
      })
    )
  })

  it("HTTP-21 holds what its events hold, and what to come back with", () => {
    const text =
      "\ufeffid: 1\ndata:\n\nevent: ping\ndata: x\n\ndata\n\ndata: a\ndata:b\n\nretry: 7\nid: 2\n\nid: 3\ndata: cut off"
    expect(read([encoder.encode(text)])).toEqual({ data: ["a\nb"], lastId: "2", retryMs: 7, failure: undefined })
  })

  it("C-33 stops at the limit of one event, however it comes, and never before", () => {
    const bytes = (count: number, end = "\n\n") => encoder.encode(`data: ${"x".repeat(count)}${end}`)
    expect(read([bytes(1_000)]).data.length).toBe(1)
    expect(read([bytes(600), bytes(600), bytes(600)]).data.length).toBe(3)
    const tooLarge = { _tag: "TooLarge", limit: 1_000 }
    expect(read([bytes(1_001)])).toMatchObject({ data: [], failure: tooLarge })
    expect(read([bytes(900, ""), bytes(900, "")])).toMatchObject({ data: [], failure: tooLarge })
    expect(read([bytes(600, "\n"), bytes(600, "\n"), bytes(1)])).toMatchObject({ data: [], failure: tooLarge })
    expect(read([bytes(1), bytes(2_000), bytes(1)])).toMatchObject({ data: ["x"], failure: tooLarge })
    // comments and lines that are no field are never kept
    expect(read([encoder.encode(`:${"x".repeat(5_000)}\n${"y".repeat(5_000)}\n`), bytes(1)]).data).toEqual(["x"])
  })
})
