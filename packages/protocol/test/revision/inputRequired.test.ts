import { type InputRequest, legacyRevisions, modernRevisions } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import { Invalid } from "../../src/revision/Revision.ts"

const [{ inputRequired }] = modernRevisions
const codec = inputRequired!

const form = { type: "object", properties: { name: { type: "string" } } } as const
const asked: { readonly [key: string]: InputRequest } = {
  who: { method: "elicitation/create", params: { mode: "form", message: "Who?", requestedSchema: form } },
  where: { method: "roots/list" },
  what: {
    method: "sampling/createMessage",
    params: { maxTokens: 1, messages: [{ role: "user", content: { type: "text", text: "What?" } }] }
  }
}

describe("a result that asks for input", () => {
  it("exists in no legacy revision", () =>
    expect(legacyRevisions.map((revision) => revision.inputRequired)).toEqual(legacyRevisions.map(() => undefined)))

  it("is written with its type, its questions and its state, and read as it was", () => {
    const wire = codec.encodeResult({ inputRequests: asked, requestState: "sealed" })
    expect(wire).toEqual({
      resultType: "input_required",
      requestState: "sealed",
      inputRequests: { ...asked, where: { method: "roots/list", params: {} } }
    })
    expect(codec.decodeResult(Object(wire))).toBe(wire)
    expect(codec.encodeResult({ requestState: "" })).toEqual({ resultType: "input_required", requestState: "" })
  })

  it("asks in the revision's terms", () => {
    const page = { mode: "url", message: "Sign in", url: "https://example.com", elicitationId: "1" } as const
    const wire = codec.encodeResult({ inputRequests: { a: { method: "elicitation/create", params: page } } })
    expect(wire).toMatchObject({ inputRequests: { a: { params: { mode: "url" } } } })
    expect(JSON.stringify(wire)).not.toContain("elicitationId")
  })

  it("is refused when a question is of no kind that is known, or is not one", () => {
    const wrong = [{ method: "tools/call", params: {} }, { method: "elicitation/create" }, null, []]
    for (const question of wrong) {
      const wire = { resultType: "input_required", inputRequests: { a: question } }
      expect(codec.decodeResult(wire)).toBeInstanceOf(Invalid)
    }
  })

  it("may have a question under any key", () => {
    const wire = JSON.parse('{"resultType":"input_required","inputRequests":{"__proto__":{"method":"roots/list"}}}')
    expect(codec.decodeResult(wire)).toBe(wire)
    const written = codec.encodeResult(wire)
    expect(Object.keys(Object(Reflect.get(written, "inputRequests")))).toEqual(["__proto__"])
    expect(Object.getPrototypeOf(Reflect.get(written, "inputRequests"))).toBe(Object.prototype)
  })
})

describe("a request that brings input", () => {
  it("has answers and state read out of its parameters, and nothing else", () => {
    const brought = { inputResponses: { who: { action: "decline" } }, requestState: "sealed" }
    expect(codec.decodeParams({ name: "a", _meta: {}, ...brought })).toEqual(brought)
    expect(codec.decodeParams({ name: "a" })).toEqual({})
    expect(codec.encodeParams(brought)).toEqual(brought)
  })

  it("is refused when the answers are no objects, or the state is no text", () => {
    for (const wrong of [
      { inputResponses: [] },
      { inputResponses: { a: "x" } },
      { inputResponses: null },
      { requestState: 5 },
      { requestState: null }
    ]) {
      expect(codec.decodeParams(wrong)).toBeInstanceOf(Invalid)
    }
  })
})
