import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { drive, type Line } from "./support/driver.ts"
import { mortal } from "./support/programs.ts"

const connect = { op: "connect" }
const call = (name: string) => ({ op: "callTool", name })
const alive = { ok: true, value: { content: [{ text: "alive" }] } }
const died = { ok: false, error: { tag: "TransportError", reason: "Closed", outcome: "Unknown" } }

const indexOf = (lines: ReadonlyArray<Line>, some: Line): number =>
  lines.findIndex((line) => Object.entries(some).every(([name, value]) => line[name] === value))

/** Starts a process beside the server, which is left when that dies. */
const littering = ["/bin/sh", "-c", `sleep 300 & exec "$0" "$@"`, ...mortal]

describe("a program", () => {
  it.live("is started again when it is asked for, and is told of", () =>
    Effect.gen(function* () {
      const script = {
        target: { command: littering },
        options: { restart: "lazy", healthCheckMs: 50, recover: { uptimeMs: 0 } },
        steps: [connect, call("die"), call("live"), { op: "close" }, connect, call("live")]
      }
      const { code, lines, processes, steps } = yield* drive(script)
      expect(steps).toMatchObject([{ ok: true }, died, alive, { ok: true }, { ok: true }, alive])
      const first = ["Starting", "Running", "Crashed", "Gone"]
      expect(processes).toEqual([...first, "Restarting", "Running", "Gone", "Starting", "Running", "Gone"])
      const gone = lines.filter(({ state }) => state === "Gone").map(({ reason }) => reason)
      expect(gone).toEqual(["Crashed", "Stopped", "Stopped"])
      // first the crash, then the session, then what follows from it
      const order = [{ state: "Crashed" }, { state: "Lost" }, { step: 2 }, { state: "Restarting", n: 1 }]
      const at = order.map((some) => indexOf(lines, some))
      expect(at).toEqual([...at].sort((a, b) => a - b))
      expect(at).not.toContain(-1)
      expect(lines.at(-1)).toMatchObject({ done: true, children: 0 })
      expect(code).toBe(0)
    })
  )

  it.live("is started again at once, so that it is there when it is asked for", () =>
    Effect.gen(function* () {
      const script = {
        target: { command: mortal },
        options: { restart: { eager: 3 }, recover: { uptimeMs: 0 } },
        steps: [connect, call("die"), { op: "sleep", ms: 1_000 }, call("live")]
      }
      const { lines, processes, steps } = yield* drive(script)
      expect(steps).toMatchObject([{ ok: true }, died, { ok: true }, alive])
      expect(processes).toEqual(["Starting", "Running", "Crashed", "Restarting", "Running", "Gone"])
      const [again, asked] = [{ state: "Running", generation: 2 }, { step: 3 }].map((some) => indexOf(lines, some))
      expect(again).toBeLessThan(asked!)
      expect(lines.at(-1)).toMatchObject({ done: true, children: 0 })
    })
  )

  it.live("that ends each time is given up, and leaves nothing", () =>
    Effect.gen(function* () {
      const script = {
        target: { command: ["/bin/sh", "-c", "exit 3"] },
        options: { restart: { eager: 1 } },
        steps: [connect, { op: "sleep", ms: 1_500 }]
      }
      const { code, lines, steps } = yield* drive(script)
      expect(steps[0]).toMatchObject({ ok: false, error: { tag: "TransportError", reason: "Closed" } })
      const gone = lines.filter(({ reason, state }) => state === "Gone" && reason === "Failed")
      expect(gone).toMatchObject([{ of: "process", error: { tag: "TransportError", reason: "Closed" } }])
      expect(lines.at(-1)).toMatchObject({ done: true, children: 0 })
      expect(code).toBe(0)
    })
  )

  it.live("of a configuration is started again as well", () =>
    Effect.gen(function* () {
      const [command, ...args] = mortal
      const script = {
        target: { config: { one: { command, args } } },
        options: { restart: { eager: 2 }, recover: { uptimeMs: 0 } },
        steps: [connect, call("one_die"), call("one_live")]
      }
      const { lines, steps } = yield* drive(script)
      expect(steps).toMatchObject([{ ok: true }, died, alive])
      const crash = { event: "state", of: "process", server: "one", state: "Crashed", kind: "Exited", generation: 1 }
      expect(lines).toContainEqual(expect.objectContaining(crash))
      expect(lines.at(-1)).toMatchObject({ done: true, children: 0 })
    })
  )
})
