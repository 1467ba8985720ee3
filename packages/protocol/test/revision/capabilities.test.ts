import { type ClientCapabilities, legacyRevisions, modernRevisions } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"

const revisions = [...modernRevisions, ...legacyRevisions]

/** What each revision says, newest first. */
const said = (capabilities: ClientCapabilities) =>
  revisions.map((revision) => revision.clientCapabilities(capabilities))

const five = <A>(value: A): ReadonlyArray<A> => Array.from({ length: 5 }, () => value)

describe("what a client can be asked", () => {
  it("has elicitation by forms on 2025-06-18, where forms are offered, and none before", () => {
    const found = (elicitation: NonNullable<ClientCapabilities["elicitation"]>) => said({ elicitation })
    expect(found({})).toEqual([{ elicitation: {} }, { elicitation: {} }, { elicitation: {} }, {}, {}])
    for (const elicitation of [{ form: {} }, { form: {}, url: {} }]) {
      expect(found(elicitation)).toEqual([{ elicitation }, { elicitation }, { elicitation: {} }, {}, {}])
    }
    const page = { elicitation: { url: {} } }
    expect(said(page)).toEqual([page, page, {}, {}, {}])
  })

  it("has sampling without parts before 2025-11-25", () => {
    const whole = { sampling: { tools: {}, context: {}, "x-vendor": 1 } }
    const old = { sampling: { "x-vendor": 1 } }
    expect(said(whole)).toEqual([whole, whole, old, old, old])
    expect(said({ sampling: {} })).toEqual(five({ sampling: {} }))
  })

  it("has no tasks on 2026-07-28, nor word of changed roots; extensions are named from 2025-11-25", () => {
    const declared = { roots: { listChanged: true }, tasks: { list: {} }, extensions: { "a/b": {} } }
    const { extensions, roots } = declared
    expect(said(declared)).toEqual([{ roots: {}, extensions }, declared, { roots }, { roots }, { roots }])
  })

  it("keeps what no revision knows, and is the very same where nothing is to be left out", () => {
    const declared = { roots: {}, experimental: { a: {} }, "x-vendor": { b: 1 } }
    for (const capabilities of said(declared)) expect(capabilities).toBe(declared)
  })

  it("is what `initialize` says", () => {
    const capabilities = { elicitation: { url: {} }, sampling: { tools: {} }, roots: { listChanged: true }, tasks: {} }
    for (const { clientCapabilities, openings, version } of legacyRevisions) {
      const params = { protocolVersion: version, clientInfo: { name: "a", version: "1" }, capabilities }
      expect(openings.initialize!.encodeParams(params)).toEqual({
        ...params,
        capabilities: clientCapabilities(capabilities)
      })
    }
  })
})
