import { describe, expect, it } from "@effect/vitest"
import { Invalid } from "../../src/Invalid.ts"
import { callTool, listTools } from "../../src/revision/v2025_11_25/tools.ts"
import { testContents } from "./contents.ts"
import { type Member, oneOf, SECRET, testKind } from "./members.ts"
import { testParams } from "./params.ts"
import { callMembers, inList, itself, listMembers, toolMembers } from "./tools.ts"

/** What a schema here says of its properties. */
const shapesOf = (schema: string): ReadonlyArray<Member> => [
  {
    at: [schema, "properties"],
    fits: [{ a: { type: "string" }, b: {} }, { a: true, b: false }, {}],
    unfit: [[SECRET], [[SECRET]], [null], [{ a: SECRET }, ["a"]], [{ a: [true] }, ["a"]]]
  },
  { at: [schema, "required"], fits: [["a", "b"], []], unfit: [[SECRET], [null], [["a", 7], [1]], [{}]] }
]

const outputSchema: Member = {
  at: ["outputSchema"],
  fits: [{ type: "object" }, { type: "object", properties: { n: { type: "number" } }, additionalProperties: false }],
  unfit: [[SECRET], [null], [[]], [{}, ["type"]], [{ type: "array" }, ["type"]], [{ type: ["object"] }, ["type"]]]
}

const least = { name: "a", inputSchema: { type: "object" }, outputSchema: { type: "object" } }

testContents(callTool.decodeResult)
testParams(listTools, callTool)

testKind({
  name: "a tool",
  holder: inList(listTools.decodeResult),
  least,
  members: [
    outputSchema,
    ...toolMembers,
    ...shapesOf("inputSchema"),
    ...shapesOf("outputSchema"),
    { at: ["execution"], fits: [{}], unfit: [[SECRET], [null], [[]]] },
    oneOf(["execution", "taskSupport"], "forbidden", "optional", "required")
  ]
})

testKind({
  name: "a list of tools",
  holder: itself(inList(listTools.decodeResult).decode),
  least: { tools: [] },
  members: [...listMembers]
})

testKind({
  name: "the result of a call",
  holder: itself(callTool.decodeResult),
  least: { content: [] },
  members: [...callMembers]
})

testKind({
  name: "the structured content of a call",
  holder: itself(callTool.decodeResult),
  least: { content: [] },
  members: [
    { at: ["structuredContent"], fits: [{}, { a: [1, null] }], unfit: [[SECRET], [[SECRET]], [null], [7], [true]] }
  ]
})

describe("the result of a call", () => {
  it("may leave out content where there is structured content", () => {
    const structuredContent = { a: 1 }
    expect(callTool.decodeResult({ structuredContent })).toStrictEqual({ structuredContent, content: [] })
    expect(callTool.decodeResult({ structuredContent, content: null })).toBeInstanceOf(Invalid)
  })
})

describe("what a list of tools is written as", () => {
  const tool = { name: "a", inputSchema: { type: "object" } }

  it("never has a caching hint", () => {
    const result = { tools: [tool], nextCursor: "", _meta: { a: 1 } }
    expect(listTools.encodeResult({ ...result, ttlMs: 7, cacheScope: "public" })).toStrictEqual(result)
    expect(listTools.encodeResult({ tools: [], ttlMs: 0 })).toStrictEqual({ tools: [] })
  })

  it("leaves out an output schema that is not of an object, and nothing else of its tool", () => {
    for (const schema of [{ type: "array" }, {}, { type: ["object", "null"] }, { anyOf: [{ type: "object" }] }]) {
      const whole = { ...tool, title: "A", annotations: { title: "B" }, icons: [{ src: "x" }], _meta: { a: 1 } }
      const result = { tools: [{ ...whole, outputSchema: schema }, tool] }
      const before = structuredClone(result)
      const wire = listTools.encodeResult(result)
      expect(wire).toStrictEqual({ tools: [whole, tool] })
      expect(result).toStrictEqual(before)
      expect(listTools.decodeResult(wire)).toBe(wire)
    }
  })

  it("keeps an output schema of an object", () => {
    const result = { tools: [{ ...tool, outputSchema: { type: "object", required: ["a"] } }] }
    expect(listTools.encodeResult(result)).toStrictEqual(result)
  })

  it("keeps what a client may hear of caching, which means nothing here", () => {
    const wire = { tools: [], ttlMs: SECRET, cacheScope: 7 }
    expect(listTools.decodeResult(wire)).toBe(wire)
  })
})

describe("what the result of a call is written as", () => {
  it("has no structured content that is no object, and all the rest", () => {
    const rest = { content: [{ type: "text", text: "[1]" }], isError: false, _meta: { a: 1 } } as const
    for (const structuredContent of [[1], "text", 7, true, null]) {
      const wire = callTool.encodeResult({ ...rest, structuredContent })
      expect(wire).toStrictEqual(rest)
      expect(callTool.decodeResult(wire)).toBe(wire)
    }
  })
})
