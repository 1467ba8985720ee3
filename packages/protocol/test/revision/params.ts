import { describe, expect, it } from "@effect/vitest"
import type { JsonRpc } from "@effective-mcp/protocol"
import type { Methods } from "../../src/model/methods.ts"
import { type Codec, Invalid } from "../../src/revision/Revision.ts"
import { SECRET } from "./members.ts"

type JsonObject = JsonRpc.JsonObject
type Of<M extends keyof Methods> = Codec<Methods[M]["params"], Methods[M]["result"]>

const detailOf = (found: unknown): unknown => (found instanceof Invalid ? found.detail : found)

/** Tests what every revision carries in the same way. */
export const testParams = (listTools: Of<"tools/list">, callTool: Of<"tools/call">): void => {
  describe("the parameters of tools/list", () => {
    it("are the cursor, if there is one: an empty one is one", () => {
      expect(listTools.decodeParams({})).toStrictEqual({})
      for (const cursor of ["", "next"]) {
        expect(listTools.decodeParams({ cursor, _meta: {}, unknown: 1 })).toStrictEqual({ cursor })
        expect(listTools.encodeParams({ cursor })).toStrictEqual({ cursor })
      }
      expect(listTools.encodeParams({})).toStrictEqual({})
    })

    it("are refused when the cursor is no string", () => {
      for (const cursor of [7, null, { SECRET }, [SECRET]]) {
        expect(detailOf(listTools.decodeParams({ cursor }))).toBe("cursor is not a string")
      }
    })
  })

  describe("the parameters of tools/call", () => {
    it("are the name and the arguments, if there are any", () => {
      const args = { text: "a", deep: [{ b: null }] }
      expect(callTool.decodeParams({ name: "" })).toStrictEqual({ name: "" })
      expect(callTool.decodeParams({ name: "a", arguments: {} })).toStrictEqual({ name: "a", arguments: {} })
      expect(callTool.decodeParams({ name: "a", arguments: args, _meta: {}, task: {} })).toStrictEqual({
        name: "a",
        arguments: args
      })
      for (const params of [{ name: "a" }, { name: "a", arguments: {} }, { name: "a", arguments: args }]) {
        expect(callTool.encodeParams(params)).toStrictEqual(params)
      }
    })

    it("are refused when the name is no string, or the arguments are no object", () => {
      for (const wire of [{}, { name: 7 }, { name: null, arguments: SECRET }, { name: [SECRET] }]) {
        expect(detailOf(callTool.decodeParams(wire))).toBe("name is not a string")
      }
      for (const args of [null, SECRET, [SECRET], 7, true]) {
        expect(detailOf(callTool.decodeParams({ name: "a", arguments: args }))).toBe("arguments is not an object")
      }
    })

    it("that do not fit a tool are a result that says so, as an error of the tool", () => {
      const result = callTool.wrongArguments?.("a is missing")
      expect(result).toStrictEqual({ content: [{ type: "text", text: "a is missing" }], isError: true })
      expect(callTool.decodeResult(result!)).toBe(result)
    })
  })

  describe("the result of tools/call", () => {
    it("is written with every member that it has, and is left as it was", () => {
      const content = [{ type: "text", text: "a", annotations: { priority: 1 } }] as const
      for (const result of [
        { content },
        { content: [] },
        { content, isError: true, _meta: { "example.com/x": 1 }, structuredContent: { n: 1 } }
      ]) {
        const before = structuredClone(result)
        const wire: JsonObject = callTool.encodeResult(result)
        expect(wire).toStrictEqual(before)
        expect(wire).not.toBe(result)
        expect(result).toStrictEqual(before)
      }
    })
  })
}
