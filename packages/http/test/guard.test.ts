import { describe, expect, it } from "vitest"
import { Guard } from "../src/index.ts"
import { requestOf } from "./support.ts"

const judge = (options: Guard.Options | undefined, headers: Record<string, string>) =>
  Guard.make(options)(requestOf({ headers }))

describe("the guard", () => {
  it("takes loopback names on any port by default", () => {
    for (const host of ["localhost", "LocalHost:1", "127.0.0.1:65535", "[::1]", "[::1]:80"]) {
      expect([host, judge(undefined, { host })]).toEqual([host, undefined])
    }
    for (const host of [
      "",
      "localhost.",
      "localhost:",
      "localhost:99999999",
      "localhost evil",
      "localhost, evil",
      "evil@localhost",
      "http://localhost",
      "127.0.0.2",
      "127.1",
      "0.0.0.0",
      "[::1",
      "::1",
      "[::ffff:127.0.0.1]",
      "example.com",
      `${"a".repeat(300)}`
    ]) {
      expect([host, judge(undefined, { host })]).toEqual([host, "Host"])
    }
    expect(judge(undefined, {})).toBe("Host")
  })

  it("takes the hosts that are listed, with their port where it is given, and no others", () => {
    const options = { hosts: ["Api.Example.com", "other.example:8443", "::1", "fe80::1"] }
    for (const [host, refusal] of [
      ["api.example.com:1", undefined],
      ["API.EXAMPLE.COM", undefined],
      ["other.example:8443", undefined],
      ["other.example", "Host"],
      ["other.example:443", "Host"],
      ["[::1]:3000", undefined],
      ["[fe80::1]", undefined],
      ["localhost", "Host"],
      ["sub.api.example.com", "Host"]
    ] as const) {
      expect([host, judge(options, { host })]).toEqual([host, refusal])
    }
  })

  it("takes the host's own origin, ports and default ports considered, and the origins that are listed", () => {
    const options = { hosts: ["a.example"], origins: ["https://App.example", "null", "app://desktop"] }
    for (const [host, origin, refusal] of [
      ["a.example", "http://a.example", undefined],
      ["a.example", "http://a.example:80", undefined],
      ["a.example:443", "https://a.example", undefined],
      ["a.example", "HTTPS://A.EXAMPLE", undefined],
      ["a.example", "http://a.example:81", "Origin"],
      ["a.example:81", "http://a.example", "Origin"],
      ["a.example", "ftp://a.example", "Origin"],
      ["a.example", "a.example", "Origin"],
      ["a.example", "", "Origin"],
      ["a.example", "https://app.example", undefined],
      ["a.example", "https://app.example/", "Origin"],
      ["a.example", "https://app.example.evil", "Origin"],
      ["a.example", "http://app.example", "Origin"],
      ["a.example", "null", undefined],
      ["a.example", "app://desktop", undefined],
      ["a.example", "https://evil.example, https://app.example", "Origin"]
    ] as const) {
      expect([host, origin, judge(options, { host, origin })]).toEqual([host, origin, refusal])
    }
  })

  it("believes a proxy only where it is told to", () => {
    const forwarded = { host: "10.0.0.1", "x-forwarded-host": "api.example", "x-forwarded-proto": "https" }
    expect(judge({ hosts: ["api.example"] }, forwarded)).toBe("Host")
    const options = { hosts: ["api.example"], proxy: true }
    expect(judge(options, forwarded)).toBe(undefined)
    expect(judge(options, { ...forwarded, origin: "https://api.example" })).toBe(undefined)
    expect(judge(options, { ...forwarded, origin: "http://api.example" })).toBe("Origin")
    expect(judge(options, { ...forwarded, "x-forwarded-host": "api.example, evil.example" })).toBe("Host")
    expect(judge(options, { ...forwarded, "x-forwarded-host": "evil.example" })).toBe("Host")
    expect(judge(options, { host: "api.example" })).toBe(undefined)
  })

  it("throws at what is no host and no origin", () => {
    for (const host of ["", "http://a", "a/b", "a:b", "*"]) expect(() => Guard.make({ hosts: [host] })).toThrow(/host/)
    for (const origin of ["", "a", "https://a/", "*", "https://"]) {
      expect(() => Guard.make({ origins: [origin] })).toThrow(/origin/)
    }
  })
})
