import { ErrorCode, type Reason, RpcError, TransportError, Violation } from "@effective-mcp/protocol"
import { describe, expect, it } from "vitest"

describe("an answer that is an error", () => {
  it("says that its request did not run when its code proves it, and nothing otherwise", () => {
    const rejected = [-32700, -32600, -32601, -32020, -32021, -32022]
    const unknown = [-32602, -32603, -32002, -32042, -32000, -1, 0, 1, 42]
    for (const code of rejected) expect(new RpcError({ code, message: "" }).outcome).toBe("Rejected")
    for (const code of unknown) expect(new RpcError({ code, message: "" }).outcome).toBe("Unknown")
  })

  it("goes on the wire as it came, data and all, or without", () => {
    expect(new RpcError({ code: 1, message: "m", data: null }).toObject()).toStrictEqual({
      code: 1,
      message: "m",
      data: null
    })
    expect(RpcError.methodNotFound("x").toObject()).toStrictEqual({
      code: ErrorCode.MethodNotFound,
      message: "Method not found: x"
    })
    expect(RpcError.methodNotFound(`\u001b${"x".repeat(1_000)}`).message).toMatch(/^Method not found: "\\u001bx{99}…"$/)
    expect(RpcError.invalidParams("wrong").toObject()).toStrictEqual({ code: -32602, message: "wrong" })
  })
})

describe("a failure of the wire", () => {
  it("says what happened in words, and keeps the facts", () => {
    const reasons: ReadonlyArray<readonly [Reason, string]> = [
      [{ _tag: "Unreachable", what: "no such command: nope", code: "ENOENT" }, "no such command: nope (ENOENT)"],
      [{ _tag: "Unreachable", what: "nobody listens" }, "nobody listens"],
      [{ _tag: "Closed" }, "closed"],
      [{ _tag: "Closed", exit: { code: 3, signal: null } }, "code 3"],
      [{ _tag: "Closed", exit: { code: null, signal: "SIGKILL" }, stderr: "" }, "SIGKILL"],
      [{ _tag: "Malformed", detail: "both result and error", id: 1 }, "both result and error"],
      [{ _tag: "TooLarge", limit: 7 }, "7 bytes"],
      [{ _tag: "Overflow", limit: 9 }, "9 messages"],
      [{ _tag: "TimedOut", afterMs: 30_000 }, "30000 ms"]
    ]
    for (const [reason, words] of reasons) {
      const error = new TransportError({ reason, outcome: "Unknown" })
      expect(error.message).toContain(words)
      expect(error).toMatchObject({ _tag: "TransportError", reason, outcome: "Unknown" })
    }
  })

  it("is the same failure when another request sees it, but for the outcome", () => {
    const error = new TransportError({ reason: { _tag: "Closed", cause: "x" }, outcome: "Unknown" })
    expect(error.withOutcome("Unknown")).toBe(error)
    expect(error.withOutcome("NotSent")).toMatchObject({ reason: error.reason, outcome: "NotSent" })
    expect(error.outcome).toBe("Unknown")
  })
})

describe("a violation", () => {
  it("says where, and that the request may have run", () => {
    const error = new Violation({
      revision: "2026-07-28",
      method: "tools/list",
      detail: ".tools is not as the schema says"
    })
    expect(error.message).toContain("tools/list")
    expect(error.outcome).toBe("Unknown")
  })
})

describe("why a process has ended", () => {
  const said: ReadonlyArray<readonly [string, string, string]> = [
    [
      "Node",
      "file:///x.ts:1\nthrow new Error('boom')\n^\n\nError: boom\n    at x\n\nNode.js v24.21.0\n",
      "Error: boom"
    ],
    ["Python", "Traceback (most recent call last):\n  File x\nValueError: boom\n", "ValueError: boom"],
    [
      "Deno",
      "\u001b[0m\u001b[1m\u001b[31merror\u001b[0m: Uncaught Error: boom\n\u001b[0m\u001b[31m  ^\u001b[0m\nStack backtrace:\n",
      "error: Uncaught Error: boom"
    ],
    [
      "npm",
      "npm error code E404\nnpm error 404 Not Found - GET x\nnpm error A complete log of this run can be found in: y\n",
      "npm error 404 Not Found - GET x"
    ],
    ["anything", "starting\nno key given\n\n", "no key given"]
  ]
  for (const [who, stderr, why] of said) {
    it(`is found in what ${who} says last`, () => {
      const error = TransportError.make({ _tag: "Closed", exit: { code: 1, signal: null }, stderr })
      expect(error.message).toBe(`the server process has ended (code 1): ${why}`)
    })
  }
  it("is cut, and disturbs no terminal", () => {
    const error = TransportError.make({
      _tag: "Closed",
      exit: { code: 1, signal: null },
      stderr: `\u0007${"x".repeat(999)}`
    })
    expect(error.message).toBe(`the server process has ended (code 1): ${"x".repeat(200)}`)
  })
})
