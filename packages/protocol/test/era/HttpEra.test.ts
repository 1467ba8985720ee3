import { HttpEra, JsonRpc, Meta } from "@effective-mcp/protocol"
import { describe, expect, it } from "vitest"

const request = JsonRpc.request
const claim = { _meta: { [Meta.PROTOCOL_VERSION]: "2026-07-28" } }

describe("the era of an HTTP request", () => {
  it("is what the message says, then initialize, then the session, then the version header", () => {
    for (const [message, session, version, era] of [
      [request(1, "tools/list", claim), "s", "2025-11-25", "modern"],
      [request(1, "initialize", claim), undefined, undefined, "modern"],
      [request(1, "initialize"), undefined, "2026-07-28", "legacy"],
      [request(1, "tools/list"), "s", "2026-07-28", "legacy"],
      [request(1, "server/discover"), "s", undefined, "legacy"],
      [request(1, "tools/list"), undefined, "2026-07-28", "modern"],
      [request(1, "tools/list"), undefined, "2999-01-01", "modern"],
      [request(1, "tools/list"), undefined, "", "modern"],
      [request(1, "server/discover"), undefined, "2025-11-25", "legacy"],
      [request(1, "tools/list"), undefined, "2025-03-26", "legacy"],
      [request(1, "tools/list"), undefined, undefined, "legacy"],
      [request(1, "subscriptions/listen"), undefined, undefined, "modern"],
      [JsonRpc.notification("notifications/initialized"), "s", undefined, "legacy"],
      [JsonRpc.success(1, {}), undefined, "2026-07-28", "modern"],
      [JsonRpc.success(1, {}), "s", "2026-07-28", "legacy"]
    ] as const) {
      expect([message, session, version, HttpEra.opening(message, { session, version })]).toEqual([
        message,
        session,
        version,
        era
      ])
    }
  })

  it("is known to have versions, a version header, polling and batches in some revisions alone", () => {
    const table = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"].map((version) => [
      version,
      HttpEra.isKnownVersion(version),
      HttpEra.hasVersionHeader(version),
      HttpEra.allowsPolling(version),
      HttpEra.allowsBatches(version)
    ])
    expect(table).toEqual([
      ["2026-07-28", true, true, false, false],
      ["2025-11-25", true, true, true, false],
      ["2025-06-18", true, true, false, false],
      ["2025-03-26", true, false, false, true],
      ["2024-11-05", true, false, false, false]
    ])
    for (const version of ["", "2025-11-26", "__proto__"]) expect(HttpEra.isKnownVersion(version)).toBe(false)
    expect([HttpEra.versionOf(undefined), HttpEra.versionOf("x")]).toEqual(["2025-03-26", "x"])
  })
})

describe("what a header repeats of a message", () => {
  it("is the name or the URI, for the methods that have one", () => {
    expect(HttpEra.nameOf({ method: "tools/call", params: { name: "a", uri: "b" } })).toEqual({ value: "a" })
    expect(HttpEra.nameOf({ method: "prompts/get", params: { name: 5 } })).toEqual({ value: 5 })
    expect(HttpEra.nameOf({ method: "resources/read", params: { name: "a", uri: "b" } })).toEqual({ value: "b" })
    expect(HttpEra.nameOf({ method: "tools/call" })).toEqual({ value: undefined })
    expect(HttpEra.nameOf({ method: "tools/list", params: { name: "a" } })).toBe(undefined)
    expect(HttpEra.nameOf({ method: "constructor" })).toBe(undefined)
  })
})

it("a request without an id is told from a notification", () => {
  for (const method of ["initialize", "tools/call", "ping", "server/discover"]) {
    expect(HttpEra.lacksId(JsonRpc.notification(method))).toBe(true)
    expect(HttpEra.lacksId(request(1, method))).toBe(false)
  }
  for (const method of ["notifications/initialized", "notifications/x", "note", "constructor"]) {
    expect(HttpEra.lacksId(JsonRpc.notification(method))).toBe(false)
  }
  expect(HttpEra.lacksId(JsonRpc.success(1, {}))).toBe(false)
})
