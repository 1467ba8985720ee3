import { constants } from "node:os"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { drive } from "./support/drive.ts"
import { onFullDisk, program } from "./support/program.ts"

const run = (mode: string) => drive(program("main", mode))

it.live("a program that ends exits with 0, whatever timers are left, and all that it said arrives", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const main = yield* run("ends")
      expect((yield* main.line).length).toBe(1_000_000)
      expect(yield* main.exit).toEqual({ code: 0, signal: null })
    })
  )
)

it.live("a program that fails exits with 1, and says why on stderr", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const main = yield* run("fails")
      expect(yield* main.exit).toEqual({ code: 1, signal: null })
      expect(main.stderr()).toBe("Error: no such luck\n")
    })
  )
)

it.live("a program that ends with an exit code of its own exits with that", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const main = yield* run("judges")
      expect(yield* main.exit).toEqual({ code: 3, signal: null })
    })
  )
)

it.live("a program that dies exits with 1, and its whole trace is on stderr", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const main = yield* run("dies")
      expect(yield* main.exit).toEqual({ code: 1, signal: null })
      expect(main.stderr()).toMatch(/a defect[^]*\n {4}at /)
    })
  )
)

it.live("a program that waits for nothing that the system knows goes on waiting", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const main = yield* run("waits")
      expect(yield* main.line).toBe("waiting")
      process.kill(main.pid, "SIGTERM")
      expect(yield* main.exit).toEqual({ code: 128 + constants.signals.SIGTERM, signal: null })
      expect(main.stderr()).toBe("released\n")
    })
  )
)

it.live("a second signal does not wait for a program that takes long to leave", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const main = yield* run("lingers")
      expect(yield* main.line).toBe("waiting")
      process.kill(main.pid, "SIGINT")
      yield* main.says("lingering")
      process.kill(main.pid, "SIGINT")
      expect(yield* main.exit).toEqual({ code: 128 + constants.signals.SIGINT, signal: null })
    })
  )
)

it.live("a program that speaks to nobody any more is interrupted, and that is no failure", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const main = yield* run("speaks")
      yield* main.line
      yield* main.closeOutput("", "released\n")
      expect(yield* main.exit).toEqual({ code: 0, signal: null })
      expect(main.stderr()).toBe("released\n")
    })
  )
)

it.live("a program that nobody handles a promise of exits with 1, and says so on stderr", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const main = yield* run("forgets")
      expect(yield* main.exit).toEqual({ code: 1, signal: null })
      expect(main.stderr()).toMatch(/rejected[^]*forgotten/)
    })
  )
)

it.live("a program that serves over HTTP alone goes on when nobody handles a promise of a call", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const main = yield* drive(program("web"))
      const url = yield* main.line
      const call = (name: string) =>
        Effect.promise(() =>
          fetch(url, {
            method: "POST",
            headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name } })
          }).then((response) => response.text())
        )
      expect(yield* call("forgetful")).toContain("done")
      yield* main.says("forgotten")
      expect(yield* call("forgetful")).toContain("done")
      process.kill(main.pid, "SIGTERM")
      expect(yield* main.exit).toEqual({ code: 128 + constants.signals.SIGTERM, signal: null })
      expect(main.stderr()).toContain("closed\n")
    })
  )
)

it.live("a program that listens to rejected promises itself decides itself", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const main = yield* run("minds")
      expect(yield* main.exit).toEqual({ code: 4, signal: null })
      expect(main.stderr()).toBe("")
    })
  )
)

it.live("a program that cannot write to stdout, for all that somebody would read it, exits with 1 and says why", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const main = yield* drive(onFullDisk(program("main", "speaks")))
      expect(yield* main.exit).toEqual({ code: 1, signal: null })
      expect(main.stderr()).toMatch(/EFBIG|File too large/)
    })
  )
)
