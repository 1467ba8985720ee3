import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { longestWait } from "../driver/patience.ts"
import { run } from "../driver/run.ts"
import { read } from "../driver/script.ts"
import { start } from "./support/client.ts"
import { drive } from "./support/driver.ts"
import { mortal, program } from "./support/programs.ts"
import { serving } from "./support/serving.ts"
import { starting } from "./support/starting.ts"

const text = (said: string) => expect.objectContaining({ content: [{ type: "text", text: said }] })
const call = (name: string, args: object = {}, more: object = {}) => ({
  op: "callTool",
  name,
  arguments: args,
  ...more
})
const target = { url: "http://127.0.0.1:1/mcp" }

/** The HTTP server as a process of its own. */
const serverProcess = Effect.suspend(() => {
  const [command, ...args] = program("server")
  return starting([command, ...args.map((arg) => arg.replace("{port}", "0"))])
})

/** Lets nobody in. */
const refusing = serving((_, response) => void response.writeHead(401).end())

const hints = { resultType: "complete", ttlMs: 0, cacheScope: "private" }
const results: { readonly [method: string]: object } = {
  "server/discover": { ...hints, supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
  "tools/list": { ...hints, tools: [{ name: 7 }, { name: "good", inputSchema: { type: "object" } }] }
}

/** Lists a tool that is none. */
const sloppy = serving((request, response) => {
  let body = ""
  request.on("data", (part) => (body += part))
  request.on("end", () => {
    const { id, method } = JSON.parse(body)
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }))
  })
})

describe("a script", () => {
  const faults: ReadonlyArray<readonly [what: string, script: string, says: string]> = [
    ["is no JSON", `{"target":`, "the script is no JSON"],
    ["holds nothing", "null", "the script cannot be read"],
    ["wants a target of a kind that there is not", `{"target":{"ws":"http://x"},"steps":[]}`, `"ws"; there are "url"`],
    ["wants a target of two kinds", `{"target":{"url":"http://x","sse":"http://x"},"steps":[]}`, `"url", "sse"`],
    ["has no target", `{"steps":[]}`, "no target"],
    ["wants to sign in", `{"target":{"url":"http://x"},"options":{"auth":{}},"steps":[]}`, `"auth"`],
    [
      "gives headers and a key to HTTP+SSE",
      `{"target":{"sse":"http://x"},"options":{"headers":{},"apiKey":"k"},"steps":[]}`,
      "either headers or apiKey"
    ],
    [
      "has an option that its target does not take",
      `{"target":{"config":{}},"options":{"graceMs":1},"steps":[]}`,
      `"graceMs"`
    ],
    [
      "restarts in a way that there is not",
      `{"target":{"command":["x"]},"options":{"restart":"never"},"steps":[]}`,
      "restart"
    ],
    ["wants a target that is none", `{"target":7,"steps":[]}`, "target"],
    ["runs a command of no words", `{"target":{"command":[]},"steps":[]}`, "command"],
    [
      "has an option that there is not",
      `{"target":{"url":"http://x"},"options":{"__proto__":1},"steps":[]}`,
      "__proto__"
    ],
    ["has a value that does not fit", `{"target":{"url":"http://x"},"options":{"pages":"1"},"steps":[]}`, "pages"],
    [
      "has a step of a name that there is not",
      `{"target":{"url":"http://x"},"steps":[{"op":"constructor"}]}`,
      "step 1"
    ],
    [
      "has such a step inside another",
      `{"target":{"url":"http://x"},"steps":[{"op":"parallel","steps":[{}]}]}`,
      "step 1"
    ],
    ["has a step that lacks something", `{"target":{"url":"http://x"},"steps":[{"op":"sleep"}]}`, "ms"],
    [
      "has a step that is done for ever",
      `{"target":{"url":"http://x"},"steps":[{"op":"parallel","steps":[],"times":1e9}]}`,
      "times"
    ]
  ]
  for (const [what, script, says] of faults) {
    it(`that ${what} is not begun`, () => {
      expect(() => read(script)).toThrow(says)
    })
  }
  it("may say more of a step than the step needs", () => {
    const { steps } = read(`{"target":{"url":"http://x"},"steps":[{"op":"ping","why":"to see"}]}`)
    expect(steps).toMatchObject([{ op: "ping" }])
  })

  it.live("that cannot be run ends with 2, the reason on stderr and nothing on stdout", () =>
    Effect.gen(function* () {
      const scripts = [`{"target":{"auth":1},"steps":[]}`, { target, options: { requestTimeoutMs: -1 }, steps: [] }]
      const ends = yield* Effect.forEach(scripts, (script) => drive(script), { concurrency: 2 })
      expect(ends.map(({ code, lines, rest }) => [code, lines.length, rest])).toEqual([
        [2, 0, ""],
        [2, 0, ""]
      ])
      expect(ends[0]!.stderr).toMatch(/^no target of this kind can be reached: "auth".*\n$/)
      expect(ends[1]!.stderr).toMatch(/^the client cannot be made: timeout.*\n$/)
    })
  )

  const meaningless: ReadonlyArray<readonly [target: object, options: object, says: string]> = [
    [target, { rounds: 0 }, "maxRounds"],
    [{ command: ["x"] }, { restart: { eager: -1 } }, "maxRetries"],
    [{ command: ["x"] }, { healthCheckMs: 0 }, "healthCheck"],
    [{ sse: "http://x" }, { maxMessageBytes: 0 }, "messageBytes"],
    [{ plain: "http://x" }, { maxDepth: 0.5 }, "maxDepth"],
    [{ detect: "http://x" }, { probeMs: 0 }, "probe"],
    [{ config: {} }, { requestTimeoutMs: -1 }, "timeout"]
  ]
  it.each(meaningless)("for %j with %j is not begun", (target, options, says) => {
    expect(() => run(read(JSON.stringify({ target, options, steps: [] })))).toThrow(says)
  })
})

describe("the longest wait of a script", () => {
  it("is that of its options or of any step, and no less than the library's own", () => {
    const wait = (steps: ReadonlyArray<object>, options: object = {}) =>
      longestWait(read(JSON.stringify({ target: { plain: "http://x" }, options, steps })))
    const slow = { op: "ping", timeoutMs: 50_000 }
    expect(wait([{ op: "ping", timeoutMs: 10 }])).toBe(30_000)
    expect(wait([], { requestTimeoutMs: 40_000 })).toBe(40_000)
    expect(wait([{ op: "parallel", steps: [{ op: "cancelAfter", ms: 1, step: slow }] }])).toBe(50_000)
  })
})

describe("a server that goes away in the middle", () => {
  it.live("over HTTP breaks the call, which may have run, and is not reached any more", () =>
    Effect.gen(function* () {
      const { child, url } = yield* serverProcess
      const script = {
        target: { url },
        options: { retry: false, recover: false },
        steps: [{ op: "connect" }, call("sleep", { ms: 10_000 }, { progress: true }), { op: "ping" }, { op: "ping" }]
      }
      const { code, steps } = yield* drive(script, ({ event }) => {
        if (event === "progress") child.kill("SIGKILL")
      })
      expect(steps).toMatchObject([
        { ok: true },
        { ok: false, error: { tag: "TransportError", reason: "Closed", outcome: "Unknown" } },
        // one more connection may have been open
        { ok: false },
        { ok: false, error: { tag: "TransportError", reason: "Unreachable", outcome: "NotSent" } }
      ])
      expect(code).toBe(0)
    })
  )
  it.live("on stdio is started again for the next call, and leaves no process", () =>
    Effect.gen(function* () {
      const script = {
        target: { command: mortal },
        era: "legacy",
        options: { recover: { uptimeMs: 0 } },
        steps: [{ op: "connect" }, call("die"), call("live"), { op: "parallel", steps: [call("live"), call("die")] }]
      }
      const { code, events, lines, states, steps } = yield* drive(script)
      const died = { ok: false, error: { tag: "TransportError", reason: "Closed", outcome: "Unknown" } }
      expect(steps).toMatchObject([{ ok: true }, died, { ok: true, value: text("alive") }, { ok: true }])
      expect(states.slice(0, 5)).toEqual(["Connecting", "Connected", "Lost", "Connecting", "Connected"])
      expect(events("state").find(({ state }) => state === "Lost")).toMatchObject({
        error: { tag: "TransportError", reason: "Closed" }
      })
      expect(lines.at(-1)).toMatchObject({ done: true, children: 0 })
      expect(code).toBe(0)
    })
  )
  it.live("or was never there fails the first step with why", () =>
    Effect.gen(function* () {
      const command = ["/nowhere/at-all"]
      const script = { target: { command }, steps: [{ op: "connect" }, { op: "ping" }] }
      const { code, lines, processes, states, steps } = yield* drive(script)
      expect(steps).toMatchObject([
        { ok: false, error: { tag: "TransportError", reason: "Unreachable", outcome: "NotSent" } },
        { ok: false, error: { tag: "Defect" } }
      ])
      expect({ states, processes }).toEqual({
        states: ["Connecting", "Lost", "Closed"],
        processes: ["Starting", "Gone", "Gone"]
      })
      expect(lines.at(-1)).toMatchObject({ done: true, children: 0 })
      expect(code).toBe(0)
    })
  )
})

describe("a server that answers otherwise than a server should", () => {
  it.live("is told of by its status, or by its error", () =>
    Effect.gen(function* () {
      const target = { url: yield* refusing }
      const { code, states, steps } = yield* drive({ target, steps: [{ op: "connect" }] })
      expect(steps).toMatchObject([{ ok: false, error: { tag: "TransportError", reason: "HttpStatus", status: 401 } }])
      expect(states).toEqual(["Connecting", "Lost", "Closed"])
      expect(code).toBe(0)
      const { url } = yield* start({ allowedHosts: ["mcp.example.com"] })
      const { steps: forbidden } = yield* drive({ target: { url }, steps: [{ op: "connect" }] })
      expect(forbidden).toMatchObject([{ ok: false, error: { tag: "RpcError", code: -32600, status: 403 } }])
    })
  )
})

describe("what the library warns of", () => {
  it.live("is told on stdout and logged on stderr", () =>
    Effect.gen(function* () {
      const steps = [{ op: "connect" }, { op: "listTools" }]
      const { events, stderr, steps: done } = yield* drive({ target: { url: yield* sloppy }, steps })
      expect(done[1]).toMatchObject({ ok: true, value: { tools: [{ name: "good" }] } })
      expect(events("warning")).toEqual([{ event: "warning", message: expect.stringContaining("tools/list") }])
      expect(stderr).toContain("tools/list")
    })
  )
})

describe("options of a script", () => {
  it.live("reach the client and its wire", () =>
    Effect.gen(function* () {
      const { url } = yield* start({ owner: true })
      const script = {
        target: { url },
        era: "legacy",
        revision: "2025-06-18",
        options: { headers: { authorization: "Bearer ann" }, maxMessageBytes: 20_000, pages: 1, requestTimeoutMs: 300 },
        steps: [
          { op: "connect" },
          call("whoami"),
          call("blob", { bytes: 30_000 }),
          call("sleep", { ms: 10_000 }, { timeoutMs: 50, progress: true }),
          call("echo", { text: "x" })
        ]
      }
      const { code, steps } = yield* drive(script)
      expect(steps).toMatchObject([
        { ok: true, value: { revision: "2025-06-18" } },
        { ok: true, value: { content: [{ text: expect.stringContaining("ann") }] } },
        { ok: false, error: { tag: "TransportError", reason: "TooLarge" } },
        { ok: false, error: { tag: "TransportError", reason: "TimedOut" } },
        { ok: true, value: text("x") }
      ])
      expect(code).toBe(0)
    })
  )
  it.live("bound the rounds of a call, and keep its server away where nothing is offered", () =>
    Effect.gen(function* () {
      const { url } = yield* start()
      const content = { name: "Ann" }
      const steps = [{ op: "connect" }, call("test_input_required_result_multi_round")]
      const { steps: asked } = yield* drive({
        target: { url },
        options: { rounds: 1 },
        answers: { elicitation: { action: "accept", content } },
        steps
      })
      expect(asked[1]).toMatchObject({ ok: false, error: { tag: "InputRequired", reason: "TooManyRounds" } })
      const { steps: silent } = yield* drive({ target: { url }, steps })
      expect(silent[1]).toMatchObject({ ok: false, error: { tag: "RpcError", code: -32021, status: 400 } })
    })
  )
})
