import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { start } from "./support/client.ts"
import { drive } from "./support/driver.ts"
import { program } from "./support/programs.ts"

const ok = (value: unknown) => ({ ok: true, value })
const failed = (error: object) => ({
  ok: false,
  error: expect.objectContaining({ message: expect.any(String), ...error })
})
const text = (said: string) => expect.objectContaining({ content: [{ type: "text", text: said }] })
const containing = (some: object): object => expect.objectContaining(some)
const call = (name: string, args: object = {}, more: object = {}) => ({
  op: "callTool",
  name,
  arguments: args,
  ...more
})
const watched = "test://watched-resource"
const prompt = { type: "ref/prompt", name: "test_prompt_with_arguments" }

/** A step, and what comes of it. */
type Case = readonly [step: object, outcome: object]

const casesOf = (era: string, revision: string): ReadonlyArray<Case> => [
  [{ op: "ping" }, failed({ tag: "Defect" })],
  [{ op: "connect" }, ok({ era, revision, server: containing({ name: "everything" }) })],
  [{ op: "connect" }, ok(containing({ era }))],
  [{ op: "serverInfo" }, ok(containing({ era, revision, capabilities: containing({ tools: { listChanged: true } }) }))],
  [{ op: "ping" }, ok(null)],
  [{ op: "listTools" }, ok(containing({ tools: expect.arrayContaining([containing({ name: "echo" })]) }))],
  [{ op: "listTools", all: true }, ok(expect.arrayContaining([containing({ name: "echo" })]))],
  [{ op: "listResources" }, ok(containing({ resources: expect.any(Array) }))],
  [{ op: "listTemplates" }, ok(containing({ resourceTemplates: [expect.any(Object)] }))],
  [{ op: "listPrompts", all: true }, ok(expect.arrayContaining([containing({ name: prompt.name })]))],
  [call("echo", { text: "\u2028x" }), ok(text("\u2028x"))],
  [call("sleep", { ms: 210 }, { progress: true }), ok(text("slept 210 ms"))],
  [{ op: "readResource", uri: "test://static-text" }, ok(containing({ contents: [expect.any(Object)] }))],
  [
    { op: "readResource", uri: "test://none" },
    failed({ tag: "ResourceNotFound", outcome: "Rejected", code: expect.any(Number) })
  ],
  [{ op: "getPrompt", name: "test_simple_prompt" }, ok(containing({ messages: [expect.any(Object)] }))],
  [
    { op: "complete", ref: prompt, argument: { name: "arg1", value: "par" } },
    ok(containing({ values: ["paris", "park", "party"], hasMore: false }))
  ],
  [{ op: "setLogLevel", level: "debug" }, ok(null)],
  [call("test_tool_with_logging"), ok(containing({ content: expect.any(Array) }))],
  [
    call("test_elicitation", { message: "who?" }),
    ok(containing({ content: [containing({ text: expect.stringContaining("accept") })] }))
  ],
  [{ op: "subscribe", uri: watched }, ok({ granted: { resourceSubscriptions: [watched] }, refused: {} })],
  [{ op: "notificationStream" }, ok(null)],
  [
    {
      op: "parallel",
      steps: [
        { op: "listen", filter: { toolsListChanged: true }, forMs: 400 },
        call("touch"),
        call("register", { n: 1 }, { timeoutMs: 5_000 })
      ]
    },
    ok([containing(ok(null)), containing({ ok: true }), containing({ ok: true })])
  ],
  [
    { op: "parallel", times: 20, steps: [call("echo", { text: "x" }), call("none")] },
    ok(Array.from({ length: 40 }, (_, at) => containing({ ok: at % 2 === 0, ms: expect.any(Number) })))
  ],
  [
    call("sleep", { ms: 5_000 }, { timeoutMs: 20 }),
    failed({ tag: "TransportError", reason: "TimedOut", outcome: "Unknown" })
  ],
  [{ op: "cancelAfter", ms: 20, step: call("sleep", { ms: 5_000 }) }, failed({ tag: "Interrupted" })],
  [{ op: "cancelAfter", ms: 5_000, step: call("echo", { text: "y" }) }, ok(text("y"))],
  [{ op: "sleep", ms: 5_000, timeoutMs: 5 }, failed({ tag: "TransportError", reason: "TimedOut" })],
  [call("none"), failed({ tag: "RpcError", outcome: "Unknown", code: -32602 })],
  [{ op: "listen", filter: {} }, failed({ tag: "Defect" })],
  [{ op: "close" }, ok(null)],
  [{ op: "ping" }, failed({ tag: "TransportError", reason: "Closed", outcome: "NotSent" })],
  [{ op: "connect" }, ok(containing({ era }))],
  [{ op: "reconnect" }, ok(null)],
  [call("echo", { text: "z" }), ok(text("z"))]
]

const begins = ["Connecting", "Connected"]
const answers = {
  elicitation: { action: "accept", content: { username: "ann", email: "a@b.c" } },
  sampling: { text: "hi" },
  roots: []
}

describe("the driver", () => {
  const wires = {
    HTTP: Effect.map(start(), ({ url }) => ({ url })),
    "HTTP+SSE": Effect.map(start(), ({ sse }) => ({ sse })),
    stdio: Effect.succeed({ command: program("stdioServer") })
  }
  for (const [wire, reached] of Object.entries(wires)) {
    for (const [era, revision] of [
      ["modern", "2026-07-28"],
      ["legacy", "2025-11-25"]
    ] as const) {
      if (wire === "HTTP+SSE" && era === "modern") continue
      it.live(`does each step of a script, on ${wire}, ${era}`, () =>
        Effect.gen(function* () {
          const cases = casesOf(era, revision)
          const steps = cases.map(([step]) => step)
          const script = { target: yield* reached, era, answers, options: { requestTimeoutMs: 10_000 }, steps }
          const { code, events, lines, rest, states, steps: done } = yield* drive(script)
          expect(done).toEqual(cases.map(([, outcome], at) => ({ step: at + 1, ms: expect.any(Number), ...outcome })))
          const reports = events("progress").map(({ progress, step }) => [step, progress])
          expect(reports).toEqual(
            expect.arrayContaining([
              [12, 100],
              [12, 200]
            ])
          )
          expect(reports.every(([step]) => step === 12)).toBe(true)
          expect(events("log")).toContainEqual(containing({ level: "info", data: expect.any(String) }))
          const changes = events("change").map(({ change }) => change)
          expect(changes).toContainEqual({ _tag: "ListChanged", list: "tools" })
          expect(changes).toContainEqual({ _tag: "Updated", uri: watched })
          expect(states).toEqual([...begins, "Closed", ...begins, ...begins, "Closed"])
          expect(lines.at(-1)).toEqual({ done: true, rssMiB: expect.any(Number), children: 0 })
          expect({ code, rest }).toEqual({ code: 0, rest: "" })
        })
      )
    }
  }
})
