import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Tools } from "@effective-mcp/client"
import { Restart } from "@effective-mcp/transport-stdio"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import { connect } from "../src/connect.ts"
import { folder, words } from "./support/programs.ts"

describe("a program that ends", () => {
  it.live(
    "soon after its start fails the call, and the first repeat as not sent; a loop over both gets its result",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const diary = join(yield* folder, "diary")
          const client = yield* connect(words("odd", "falls", diary), { era: "legacy", restart: Restart.eager(3) })
          const outcomes: Array<string> = []
          const result = yield* Tools.call(client, "transfer").pipe(
            Effect.retry({
              times: 2,
              schedule: Schedule.spaced("100 millis"),
              while: ({ _tag, outcome }) => {
                outcomes.push(outcome)
                return _tag === "TransportError"
              }
            })
          )
          expect(Tools.text(result)).toBe("done")
          expect(outcomes).toEqual(["Unknown", "NotSent"])
        })
      )
  )
  it.live("is started again at once where that is asked for, and who wants to hears of it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const diary = join(yield* folder, "diary")
        const starts = (): number => readFileSync(diary, "utf8").split("started").length - 1
        const crashes: Array<string> = []
        const states: Array<string> = []
        const client = yield* connect(words("odd", "crashes", diary), {
          era: "legacy",
          restart: Restart.eager(2),
          supervise: {
            uptime: 0,
            onCrash: ({ _tag }) => Effect.sync(() => void crashes.push(_tag)),
            onProcess: ({ _tag }) => {
              states.push(_tag)
              throw new Error("a listener's own fault")
            }
          }
        })
        expect(starts()).toBe(1)
        yield* Effect.flip(client.session.request("tools/list", {}))
        const again: Effect.Effect<void> = Effect.suspend(() =>
          starts() > 1 ? Effect.void : Effect.andThen(Effect.sleep(10), again)
        )
        yield* Effect.timeout(again, "10 seconds")
        expect(crashes).toEqual(["Exited"])
        expect(states.slice(0, 4)).toEqual(["Gone", "Starting", "Running", "Restarting"])
      })
    ).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  )
})
