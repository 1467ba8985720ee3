import { type Codec, modernRevisions } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"

const [{ methods, openings }] = modernRevisions

const lists = { tools: [], resources: [], resourceTemplates: [], prompts: [], contents: [] }
const empty = { ...lists, supportedVersions: [], capabilities: {} }

// cast: what each of them has besides hints is in `empty`
const cacheable = [
  methods["tools/list"],
  methods["resources/list"],
  methods["resources/templates/list"],
  methods["resources/read"],
  methods["prompts/list"],
  openings["server/discover"]
] as unknown as ReadonlyArray<Codec<unknown, object>>

describe("the time to live of all that may be cached", () => {
  it("is written as whole ms from 0, and its absence as 0 and private, however it is absent", () => {
    const written = (ttlMs: unknown) =>
      cacheable.map(({ encodeResult }) => encodeResult({ ...empty, ttlMs, cacheScope: undefined }))
    const each = (ttlMs: number) => cacheable.map(() => expect.objectContaining({ ttlMs, cacheScope: "private" }))
    for (const odd of [-1, -0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, undefined, 0]) {
      expect(written(odd)).toEqual(each(0))
    }
    expect(written(1.9)).toEqual(each(1))
    expect(written(86_400_000)).toEqual(each(86_400_000))
  })

  it("hides nothing when it is read: it is whole ms from 0, in a copy", () => {
    for (const { decodeResult } of cacheable) {
      for (const [ttlMs, read] of [
        [-1, 0],
        [-1.5, 0],
        [0.5, 0],
        [7.9, 7]
      ]) {
        const wire = { ...empty, ttlMs }
        expect(decodeResult(wire)).toStrictEqual({ ...empty, ttlMs: read })
        expect(wire.ttlMs).toBe(ttlMs)
      }
      for (const wire of [empty, { ...empty, ttlMs: 0 }, { ...empty, ttlMs: 5 }]) expect(decodeResult(wire)).toBe(wire)
    }
  })
})
