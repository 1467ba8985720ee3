import { modernRevisions } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import { manner } from "../src/era/Modern.ts"
import { info } from "./scripted.ts"

describe("what a modern request says that its client can be asked", () => {
  it("is in the terms of its revision", () => {
    const declared = { elicitation: { url: {} }, roots: { listChanged: true }, tasks: { list: {} } }
    const { meta } = manner(modernRevisions[0], info, declared)
    expect(meta).toMatchObject({ "io.modelcontextprotocol/clientInfo": info })
    expect(meta["io.modelcontextprotocol/clientCapabilities"]).toEqual({ elicitation: { url: {} }, roots: {} })
  })
})
