import { HeaderName } from "@effective-mcp/protocol"
import { describe, expect, it } from "vitest"

describe("an x-mcp-header", () => {
  it("HTTP-26 is a token of HTTP", () => {
    for (const name of ["Region", "Method", "x", "X-Tenant_1", "!#$%&'*+-.^_`|~"])
      expect([name, HeaderName.isToken(name)]).toStrictEqual([name, true])
    const refused = [
      "",
      "A B",
      "My Region",
      "Region:Primary",
      "Région",
      "Region\t1",
      "a\r\nb",
      "a\n",
      "a(b)",
      "a/b",
      "a,b"
    ]
    for (const name of refused) expect([name, HeaderName.isToken(name)]).toStrictEqual([name, false])
  })

  it("HTTP-26 is there once, whatever its case", () => {
    expect(HeaderName.repeated(["zone", "N", "Ok"])).toBeUndefined()
    expect(HeaderName.repeated(["zone", "N", "Zone"])).toBe("Zone")
    expect(HeaderName.repeated(["Region", "Region"])).toBe("Region")
    expect(HeaderName.repeated(["constructor", "__proto__"])).toBeUndefined()
    expect(HeaderName.repeated([])).toBeUndefined()
  })

  it("names the header of its parameter", () => {
    expect(HeaderName.ofParam("Region")).toBe("Mcp-Param-Region")
  })
})
