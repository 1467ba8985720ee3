import { Client, Tools } from "@effective-mcp/client"
import { describe, expect, it } from "@effect/vitest"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { begin, connect, info, legacy, modern, result, scripted, silence } from "./scripted.ts"

const mute = () => scripted(modern({ "tools/call": silence, "tools/list": result({ tools: [] }) }))

/** As plain JavaScript may have them. */
const wrong: ReadonlyArray<readonly [string, unknown]> = [
  ["abc", "abc"],
  ["5 parsecs", "5 parsecs"],
  ["an empty text", ""],
  ["NaN", NaN],
  ["-1", -1],
  ["-Infinity", "-Infinity"],
  ["-5 seconds", "-5 seconds"],
  ["null", null],
  ["true", true],
  ["{ seconds: NaN }", { seconds: NaN }],
  ["[NaN, 0]", [NaN, 0]],
  ["an object that is no text", { toString: 1, seconds: -1 }]
]

describe("a time that is none", () => {
  for (const [what, value] of wrong) {
    const time = value as Duration.Input // cast: it is none, which is the point
    for (const name of ["timeout", "totalTimeout", "probeTimeout"] as const) {
      it(`is refused by name, before anything is sent: ${name} of ${what}`, () => {
        const server = mute()
        expect(() => connect(server, { [name]: time })).toThrow(`${name} is not a length of time: `)
        expect(() => Client.layer(server.transport, info, { [name]: time })).toThrow(name)
        expect(server.runs).toEqual([])
      })
    }
    for (const name of ["timeout", "totalTimeout"] as const) {
      it.effect(`is refused by every request: ${name} of ${what}`, () =>
        Effect.gen(function* () {
          const server = mute()
          const client = yield* connect(server)
          const options = { [name]: time }
          for (const request of [
            () => Tools.call(client, "t", {}, options),
            () => Tools.list(client, {}, options),
            () => Tools.all(client, options),
            () => client.request("tools/list", {}, options),
            () => client.ping(options)
          ]) {
            expect(request).toThrow(`${name} is not a length of time: `)
          }
          expect(server.run.methods).toEqual(["server/discover"])
        })
      )
    }
  }
})

describe("a time without end", () => {
  for (const endless of ["Infinity", Infinity] as const) {
    it.effect(`leaves the other one in force: ${typeof endless}`, () =>
      Effect.gen(function* () {
        const client = yield* connect(mute())
        const some = [{ timeout: endless }, { totalTimeout: endless }, { timeout: endless, totalTimeout: endless }]
        const [total, quiet, none] = yield* Effect.forEach(some, (options) =>
          begin(Effect.flip(Tools.call(client, "t", {}, options)))
        )
        yield* TestClock.adjust("1 hour")
        expect(yield* Fiber.join(total!)).toMatchObject({ reason: { _tag: "TimedOut", afterMs: 600_000 } })
        expect(yield* Fiber.join(quiet!)).toMatchObject({ reason: { _tag: "TimedOut", afterMs: 30_000 } })
        yield* TestClock.adjust("1000 weeks")
        expect(none!.pollUnsafe()).toBeUndefined()
      })
    )
    it.effect(`lets the question for the era, the handshake and its end wait: ${typeof endless}`, () =>
      Effect.gen(function* () {
        const server = scripted(legacy({ "server/discover": silence }))
        const options = { probeTimeout: endless, timeout: endless, totalTimeout: endless }
        const connecting = yield* begin(connect(server, options))
        yield* TestClock.adjust("1000 weeks")
        expect(server.run.methods).toEqual(["server/discover"])
        server.run.say(JSON.stringify({ jsonrpc: "2.0", id: server.run.last.id, error: { code: -32601, message: "" } }))
        expect((yield* Fiber.join(connecting)).era).toBe("legacy")
        expect(server.run.methods).toEqual(["server/discover", "initialize", "notifications/initialized"])
      })
    )
  }
  it.live("does not end at once, nor does one that is longer than a timer of the system can be", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const client = yield* connect(scripted(modern({ "tools/call": silence })))
        const open = yield* Effect.forEach([2 ** 31, 2 ** 40, 1e300, Infinity], (timeout) =>
          begin(Effect.exit(Tools.call(client, "t", {}, { timeout, totalTimeout: timeout })))
        )
        // a call of its own time, to which the timer is set anew, and back
        const short = yield* Effect.flip(Tools.call(client, "t", {}, { timeout: 20 }))
        expect(short).toMatchObject({ reason: { _tag: "TimedOut", afterMs: 20 } })
        yield* Effect.flip(Tools.call(client, "t", {}, { timeout: 20 }))
        for (const call of open) expect(call.pollUnsafe()).toBeUndefined()
      })
    )
  )
})
