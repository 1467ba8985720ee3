import { JsonRpc, Meta } from "@effective-mcp/protocol"
import { opening } from "../../src/era/opening.ts"
import { describe, expect, it } from "vitest"

const era = (method: string, params?: JsonRpc.JsonObject) => opening(JsonRpc.request(1, method, params))

describe("the era that a message opens", () => {
  it("is modern when its _meta says so, whatever the method", () => {
    for (const key of [Meta.PROTOCOL_VERSION, Meta.CLIENT_CAPABILITIES]) {
      expect(era("tools/list", { _meta: { [key]: "2026-07-28" } })).toBe("modern")
      expect(era("initialize", { _meta: { [key]: {} } })).toBe("modern")
      expect(opening(JsonRpc.notification("notifications/x", { _meta: { [key]: null } }))).toBe("modern")
    }
  })

  it("is modern when only a modern client knows the method", () => {
    for (const method of ["server/discover", "subscriptions/listen"]) expect(era(method)).toBe("modern")
  })

  it("is legacy for initialize, and for a message that says nothing of itself", () => {
    expect(era("initialize", { protocolVersion: "2026-07-28", capabilities: {} })).toBe("legacy")
    for (const params of [undefined, {}, { _meta: {} }, { _meta: null }, { _meta: { progressToken: 1 } }]) {
      expect(era("tools/list", params)).toBe("legacy")
      expect(era("ping", params)).toBe("legacy")
    }
    expect(era("tools/call", { [Meta.PROTOCOL_VERSION]: "2026-07-28" })).toBe("legacy")
    expect(opening(JsonRpc.notification("notifications/initialized"))).toBe("legacy")
  })
})
