import { Meta } from "@effective-mcp/protocol"
import { describe, expect, it } from "vitest"

describe("of", () => {
  it("is the _meta of params or of a result, and empty when that is no object", () => {
    expect(Meta.of({ _meta: { a: 1 } })).toStrictEqual({ a: 1 })
    for (const _meta of [undefined, null, 1, "x", [1]]) expect(Meta.of({ _meta })).toStrictEqual({})
    expect(Meta.of(undefined)).toStrictEqual({})
  })
})

describe("isKey", () => {
  it("takes an optional dotted prefix and a name", () => {
    const keys = [
      "progressToken",
      "a",
      "a1_b.c-d",
      "com.example/k",
      "io.modelcontextprotocol/clientInfo",
      "x/y",
      "a-b.c/1"
    ]
    for (const key of [...keys, "", "com.example/"]) expect([key, Meta.isKey(key)]).toStrictEqual([key, true])
  })

  it("takes nothing else", () => {
    const keys = [
      "-a",
      "a-",
      ".a",
      "a b",
      "é",
      "1com/k",
      "com./k",
      ".com/k",
      "com-/k",
      "/k",
      "com.example/k/k",
      "a..b/k"
    ]
    for (const key of keys) expect([key, Meta.isKey(key)]).toStrictEqual([key, false])
  })
})

describe("isReserved", () => {
  it("is told by the prefix's second label alone", () => {
    for (const key of ["io.modelcontextprotocol/x", "com.mcp/x", "dev.mcp.tools/", "org.modelcontextprotocol.api/x"]) {
      expect([key, Meta.isReserved(key)]).toStrictEqual([key, true])
    }
    for (const key of ["mcp/x", "mcp", "com.example.mcp/x", "com.mcpx/x", "io.mcp", "com.example/io.mcp"]) {
      expect([key, Meta.isReserved(key)]).toStrictEqual([key, false])
    }
  })
})

describe("parentOf", () => {
  it("is the span that a trace context names, and none where it is not well-formed", () => {
    const parent = Meta.parentOf({ traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` })
    expect([parent?.traceId, parent?.spanId, parent?.sampled]).toEqual(["a".repeat(32), "b".repeat(16), true])
    expect(Meta.parentOf({ traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-00` })?.sampled).toBe(false)
    expect([Meta.parentOf({}), Meta.parentOf({ traceparent: "00-a-b-01" })]).toEqual([undefined, undefined])
  })
})

describe("traceContext", () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  it("is what the W3C says, and only its strings", () => {
    expect(Meta.traceContext({ traceparent })).toStrictEqual({ traceparent })
    expect(Meta.traceContext({ traceparent, tracestate: "a=b", baggage: 7, other: "x" })).toStrictEqual({
      traceparent,
      tracestate: "a=b"
    })
    expect(Meta.traceContext({ traceparent, baggage: "k=v" })).toStrictEqual({ traceparent, baggage: "k=v" })
    expect(Meta.traceContext({ traceparent: `01${traceparent.slice(2)}-more` })).toBeDefined()
  })

  it("is none when it is not well-formed", () => {
    const wrong = [
      undefined,
      7,
      "",
      traceparent.toUpperCase(),
      `ff${traceparent.slice(2)}`,
      traceparent.replace("0af7651916cd43dd8448eb211c80319c", "0".repeat(32)),
      traceparent.replace("b7ad6b7169203331", "0".repeat(16)),
      traceparent.slice(1),
      `${traceparent}\n`
    ]
    for (const value of wrong) expect(Meta.traceContext({ traceparent: value, tracestate: "a=b" })).toBe(undefined)
  })
})
