import { describe, expect, it } from "@effect/vitest"
import { callTool, listTools } from "../../src/revision/v2026_07_28/tools.ts"
import { testContents } from "./contents.ts"
import { expectKept, oneOf, SECRET, string, testKind } from "./members.ts"
import { testParams } from "./params.ts"
import { callMembers, inList, itself, listMembers, toolMembers } from "./tools.ts"

const tool = { name: "a", inputSchema: { type: "object" } }

testContents(callTool.decodeResult)
testParams(listTools, callTool)

testKind({
  name: "a tool",
  holder: inList(listTools.decodeResult),
  least: tool,
  members: [
    {
      at: ["outputSchema"],
      fits: [{}, { type: "object" }, { type: "array", items: {} }, { type: ["string", "null"] }, { anyOf: [] }],
      unfit: [[SECRET], [null], [[]], [true]]
    },
    ...toolMembers
  ]
})

testKind({
  name: "a list of tools",
  holder: itself(inList(listTools.decodeResult).decode),
  least: { tools: [] },
  members: [
    ...listMembers,
    { at: ["ttlMs"], fits: [0, 1, 86_400_000], unfit: [["0"], [null], [{ SECRET }]] },
    oneOf(["cacheScope"], "public", "private")
  ]
})

testKind({
  name: "the result of a call",
  holder: itself(callTool.decodeResult),
  least: { content: [] },
  members: [
    ...callMembers,
    string(["resultType"]),
    { at: ["structuredContent"], fits: [{ a: [1, null] }, [1, { b: {} }], "text", 0, false, null], unfit: [] }
  ]
})

describe("a tool", () => {
  it("may say anything of its properties, and of how it is executed, which means nothing here", () => {
    const inputSchema = { type: "object", properties: { a: true }, required: 7 }
    expectKept(listTools.decodeResult, { tools: [{ ...tool, inputSchema, execution: 7 }] })
  })
})

describe("what a list of tools is written as", () => {
  it("is stale at once and private, unless it says otherwise", () => {
    expect(listTools.encodeResult({ tools: [tool] })).toStrictEqual({ tools: [tool], ttlMs: 0, cacheScope: "private" })
    expect(listTools.encodeResult({ tools: [], ttlMs: 9 })).toStrictEqual({
      tools: [],
      ttlMs: 9,
      cacheScope: "private"
    })
    const whole = { tools: [tool], ttlMs: 9, cacheScope: "public", nextCursor: "", _meta: { a: 1 } } as const
    expect(listTools.encodeResult(whole)).toStrictEqual(whole)
  })

  it("keeps every output schema", () => {
    for (const outputSchema of [{}, { type: "array" }, { type: "object" }, { anyOf: [{ type: "object" }] }]) {
      const tools = [{ ...tool, outputSchema }]
      const wire = listTools.encodeResult({ tools })
      expect(wire).toMatchObject({ tools })
      expect(listTools.decodeResult(wire)).toBe(wire)
    }
  })
})

describe("what the result of a call is written as", () => {
  it("has structured content of any kind, null among them", () => {
    for (const structuredContent of [{ a: 1 }, [1], "text", 0, false, null]) {
      const result = { content: [{ type: "text", text: "" }], structuredContent } as const
      const wire = callTool.encodeResult(result)
      expect(wire).toStrictEqual(result)
      expect(callTool.decodeResult(wire)).toBe(wire)
    }
  })
})
