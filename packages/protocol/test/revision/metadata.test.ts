import { legacyRevisions } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import { Invalid } from "../../src/revision/Revision.ts"

const [{ methods, notifications }] = legacyRevisions

const task = { taskId: "1", status: "working", createdAt: "a", lastUpdatedAt: "b", ttl: null }

/** Params that each notification of 2025-11-25 must have, of those whose schema has metadata. */
const least = {
  "notifications/cancelled": {},
  "notifications/progress": { progressToken: 1, progress: 0 },
  "notifications/tasks/status": task,
  "notifications/resources/updated": { uri: "x:1" },
  "notifications/message": { level: "info", data: null },
  "notifications/tools/list_changed": {}
} as const

describe("metadata of 2025-11-25", () => {
  for (const [method, params] of Object.entries(least)) {
    it(`is an object in ${method}`, () => {
      const { decodeParams } = new Map(Object.entries(notifications.fromServer)).get(method)!
      expect(decodeParams({ ...params, _meta: { a: 1 } })).toStrictEqual({ ...params, _meta: { a: 1 } })
      for (const _meta of [null, "a", [1]]) expect(decodeParams({ ...params, _meta })).toBeInstanceOf(Invalid)
    })
  }

  it("is an object in the result that a task has had", () => {
    const { decodeResult } = methods["tasks/result"]!
    for (const wire of [{}, { content: [5] }, { _meta: { a: 1 }, "x-vendor": 1 }]) expect(decodeResult(wire)).toBe(wire)
    for (const _meta of [null, "a", [1]]) expect(decodeResult({ _meta, content: [] })).toBeInstanceOf(Invalid)
  })
})
