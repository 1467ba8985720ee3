import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "vitest"

describe("messages", () => {
  it("leave out what is not there", () => {
    expect(JSON.stringify(JsonRpc.request("", "x"))).toBe('{"jsonrpc":"2.0","id":"","method":"x"}')
    expect(JSON.stringify(JsonRpc.notification("x", {}))).toBe('{"jsonrpc":"2.0","method":"x","params":{}}')
    expect(JSON.stringify(JsonRpc.success(0, {}))).toBe('{"jsonrpc":"2.0","id":0,"result":{}}')
    const error = { code: -32700, message: "Parse error" }
    expect(JSON.stringify(JsonRpc.failure(undefined, error))).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}'
    )
    expect(JsonRpc.failure(0, error)).toHaveProperty("id", 0)
  })

  it("RPC-01 RPC-07 are told apart by the members they have, not by what those hold", () => {
    const kinds = (message: JsonRpc.Message) => [
      JsonRpc.isRequest(message),
      JsonRpc.isNotification(message),
      JsonRpc.isResponse(message)
    ]
    for (const id of [0, "", 1]) expect(kinds(JsonRpc.request(id, ""))).toStrictEqual([true, false, false])
    expect(kinds(JsonRpc.notification(""))).toStrictEqual([false, true, false])
    for (const response of [JsonRpc.success(0, {}), JsonRpc.failure("", { code: 0, message: "" })]) {
      expect(kinds(response)).toStrictEqual([false, false, true])
    }
  })

  it("RPC-02 have ids that are strings or safe integers", () => {
    for (const id of ["", "1", 0, -0, 1, Number.MAX_SAFE_INTEGER]) expect(JsonRpc.isRequestId(id)).toBe(true)
    for (const id of [1.5, 2 ** 53, NaN, Infinity, null, undefined, true, [], {}, 1n]) {
      expect(JsonRpc.isRequestId(id)).toBe(false)
    }
  })
})
