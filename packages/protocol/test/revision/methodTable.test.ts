import { legacyRevisions, methodTable, modernRevisions } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import { type Definitions, resolve, spoken } from "./fixtures.ts"

const table = methodTable()

/** What a table has for one revision, direction by direction. */
const listed = (version: string, kind: "request" | "notification", direction: string): ReadonlyArray<string> =>
  Object.entries(table)
    .filter(([, row]) => row.kind === kind && row.revisions[version]?.some((each) => each === direction) === true)
    .map(([method]) => method)
    .sort()

/** The methods of a published union; none where there is no such union. */
const published = (definitions: Definitions, union: string): ReadonlyArray<string> => {
  if (definitions[union] === undefined) return []
  const found = resolve(definitions, definitions[union])
  return (found.anyOf ?? [found]).map((member) => String(resolve(definitions, member).properties?.method?.const)).sort()
}

describe("the table of methods", () => {
  for (const { published: definitions, version } of spoken) {
    const unions = [
      ["request", "client", "ClientRequest"],
      ["request", "server", "ServerRequest"],
      ["request", "inputRequired", "InputRequest"],
      ["notification", "client", "ClientNotification"],
      ["notification", "server", "ServerNotification"]
    ] as const
    for (const [kind, direction, union] of unions) {
      it(`has for ${version} what it publishes as ${union}`, () =>
        expect(listed(version, kind, direction)).toEqual(published(definitions, union)))
    }
  }

  it("knows the revisions that are spoken, newest first", () => {
    const versions = [...modernRevisions, ...legacyRevisions].map(({ version }) => version)
    expect(versions).toEqual(spoken.map(({ version }) => version).reverse())
    expect(Object.keys(table["tools/call"].revisions)).toEqual(versions)
  })

  it("says where a method begins and ends", () => {
    expect(Object.keys(table["elicitation/create"].revisions)).toEqual(["2026-07-28", "2025-11-25", "2025-06-18"])
    expect(Object.keys(table["server/discover"].revisions)).toEqual(["2026-07-28"])
    expect(table.ping.revisions["2025-03-26"]).toEqual(["client", "server"])
    expect(table.ping.revisions["2026-07-28"]).toBeUndefined()
    expect(table["tasks/get"].revisions).toEqual({ "2025-11-25": ["client", "server"] })
  })
})
