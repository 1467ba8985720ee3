import { legacyRevisions, modernRevisions, type Tool } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import { isInvalid } from "./cases.ts"

const revisions = [...modernRevisions, ...legacyRevisions]

const properties = JSON.parse('{"a":true,"__proto__":false,"b":{"type":"string"}}')
const objects = JSON.parse('{"a":{},"__proto__":{"not":{}},"b":{"type":"string"}}')
const schema = { type: "object", properties, required: ["a"], additionalProperties: true, $defs: { c: true } }
const asObjects = { ...schema, properties: objects }
const tool: Tool = { name: "t", inputSchema: schema, outputSchema: schema }

describe("a tool whose schemas describe properties by booleans", () => {
  it("is told with objects that mean the same before 2026-07-28, and is as it was", () => {
    const before = JSON.stringify(tool)
    const found = revisions.map(({ methods }) => methods["tools/list"]!.encodeResult({ tools: [tool] }).tools)
    const input = { name: "t", inputSchema: asObjects }
    const both = { ...input, outputSchema: asObjects }
    expect(found).toStrictEqual([[tool], [both], [both], [input], [input]])
    expect(JSON.stringify(found[1])).toBe(JSON.stringify([both]))
    expect(JSON.stringify(tool)).toBe(before)
  })

  it("is told so to a model, too", () => {
    const params = { maxTokens: 1, messages: [], tools: [tool] }
    const [modern, newest] = revisions.map(({ questions }) => questions["sampling/createMessage"]!.encodeParams(params))
    expect(modern).toStrictEqual(params)
    expect(newest).toStrictEqual({ ...params, tools: [{ ...tool, inputSchema: asObjects, outputSchema: asObjects }] })
  })

  it("is read in every revision, as it came and as it is written", () => {
    for (const { methods } of revisions) {
      const told: Array<string> = []
      const { decodeResult, encodeResult } = methods["tools/list"]!
      const wire = { tools: [tool] }
      expect(decodeResult(wire, (detail) => told.push(detail))).toBe(wire)
      const written = encodeResult(wire)
      expect(decodeResult(written, (detail) => told.push(detail))).toBe(written)
      expect(told).toEqual([])
    }
  })

  it("is read from a server that offers it to a model", () => {
    for (const { questions } of revisions) {
      const wire = { maxTokens: 1, messages: [], tools: [tool] }
      expect(isInvalid(questions["sampling/createMessage"]!.decodeParams(wire))).toBe(false)
    }
  })
})

describe("a tool whose schemas do not", () => {
  it("is the very same in a list, where there is nothing else to leave out", () => {
    const plain: ReadonlyArray<Tool> = [
      { name: "a", inputSchema: asObjects },
      { name: "b", inputSchema: { type: "object" } },
      { name: "c", inputSchema: { type: "object", properties: 5 } }
    ]
    for (const { methods } of revisions) {
      const { tools } = methods["tools/list"]!.encodeResult({ tools: plain })
      expect(Array.isArray(tools)).toBe(true)
      plain.forEach((tool, index) => expect(Object(tools)[index]).toBe(tool))
    }
  })
})
