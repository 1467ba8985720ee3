import type { JsonRpc } from "@effective-mcp/protocol"
import { Invalid, type Warn } from "../../src/revision/Revision.ts"
import { boolean, type Holder, icons, type Member, meta, SECRET, string } from "./members.ts"

/** Members of a tool that are the same in every revision. */
export const toolMembers: ReadonlyArray<Member> = [
  string(["name"], true),
  string(["title"]),
  string(["description"]),
  {
    at: ["inputSchema"],
    fits: [
      { type: "object" },
      { type: "object", properties: { a: { type: "string" } }, required: ["a"], $defs: {}, additionalProperties: false }
    ],
    unfit: [[SECRET], [null], [[]], [{}, ["type"]], [{ type: SECRET }, ["type"]], [{ type: ["object"] }, ["type"]]],
    isRequired: true
  },
  string(["inputSchema", "$schema"]),
  string(["outputSchema", "$schema"]),
  { at: ["annotations"], fits: [{}], unfit: [[SECRET], [[]], [null]] },
  string(["annotations", "title"]),
  boolean(["annotations", "readOnlyHint"]),
  boolean(["annotations", "destructiveHint"]),
  boolean(["annotations", "idempotentHint"]),
  boolean(["annotations", "openWorldHint"]),
  ...icons(),
  meta()
]

/** A tool as it stands in a list. That it was left out is what a refusal is elsewhere. */
export const inList = (decode: (wire: JsonRpc.JsonObject, warn: Warn) => unknown): Holder => ({
  decode: (wire) => {
    const left: Array<string> = []
    const result = decode(wire, (detail) => left.push(detail))
    return left[0] === undefined ? result : new Invalid(left[0])
  },
  wrap: (tool) => ({ tools: [{ name: "first", inputSchema: { type: "object" } }, tool] }),
  at: ["tools", 1]
})

/** The result itself. */
export const itself = (decode: Holder["decode"]): Holder => ({ decode, wrap: (result) => result, at: [] })

export const listMembers: ReadonlyArray<Member> = [
  {
    at: ["tools"],
    fits: [[], [{ name: "a", inputSchema: { type: "object" } }]],
    unfit: [[SECRET], [null], [{}], [[SECRET], [0]], [[null], [0]]],
    isRequired: true
  },
  string(["nextCursor"]),
  meta()
]

export const callMembers: ReadonlyArray<Member> = [
  {
    at: ["content"],
    fits: [[{ type: "text", text: "a", _meta: {} }], [], [{ type: "text", text: "a" }]],
    unfit: [[SECRET], [null], [{}]],
    isRequired: true
  },
  boolean(["isError"]),
  meta()
]
