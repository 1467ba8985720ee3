import { JsonRpc } from "@effective-mcp/protocol"
import { Ask, AskError, Call, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { accept, calling, legacyClient, roundOf, rounds, textOf } from "./asking.ts"
import { info, wire } from "./wire.ts"

const form = Ask.form("Who are you?", { name: Schema.String })

/** Says why it got no answer. */
const why = Tool.make("why", {
  run: Effect.fnUntraced(function* () {
    const failed = yield* Effect.flip((yield* Call).ask({ form }))
    return failed instanceof AskError ? failed.message : "?"
  })
})

/** Asks for ever. */
const insist = Tool.make("insist", {
  run: Effect.fnUntraced(function* () {
    const call = yield* Call
    return yield* Effect.forever(call.ask({ form }))
  })
})

/** The same, round by round. */
const required = Tool.make("required", { run: () => Effect.succeed(Ask.required({ form })) })

const make = (options: Server.Options) => Server.make(info, [why, insist, required], options)
const call = (name: string) => ({ name })

describe("how long and how often a client is asked", () => {
  it.effect("S-36 is the server's to say: a question of a legacy call", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(make({ questionMs: 5_000 }))
      const asking = yield* Effect.forkChild(client.result("tools/call", call("why")))
      const { id } = yield* client.question(1)
      yield* TestClock.adjust(4_999)
      expect(asking.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect(textOf(yield* Fiber.join(asking))).toBe("the client did not answer in 5000 ms")
      expect(client.said.filter(JsonRpc.isNotification)).toEqual([
        JsonRpc.notification("notifications/cancelled", { requestId: id })
      ])
    })
  )

  it.effect("is the server's to say: rounds of a call", () =>
    Effect.gen(function* () {
      const client = yield* wire(make({ inputRounds: 2 }))
      const { asked, result } = yield* rounds(client, "insist", () => accept({ name: "a" }))
      expect([asked.length, textOf(result)]).toEqual([2, "the client has been asked 2 times"])
      const first = roundOf(yield* client.result("tools/call", calling("required")))
      const inputResponses = { form: accept({ name: "a" }) }
      const more = (requestState: string) => calling("required", { inputResponses, requestState })
      const second = roundOf(yield* client.result("tools/call", more(first.requestState)))
      expect(yield* client.error("tools/call", more(second.requestState))).toMatchObject({
        message: "Too many rounds of questions"
      })
    })
  )

  it.effect("is the server's to say: rounds of a legacy client", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(make({ legacyInputRounds: 2 }))
      const asking = yield* Effect.forkChild(client.error("tools/call", call("required")))
      for (const n of [1, 2]) yield* client.answer(yield* client.question(n), accept({ name: "a" }))
      expect(yield* Fiber.join(asking)).toMatchObject({ code: -32603, message: "Too many rounds of questions" })
      expect(client.said.filter(JsonRpc.isRequest)).toHaveLength(2)
    })
  )

  for (const name of ["questionMs", "inputRounds", "legacyInputRounds"] as const) {
    it(`is a count, and has a bound: ${name}`, () => {
      for (const value of [0, -1, 1.5, Number.NaN, Infinity]) {
        expect(() => make({ [name]: value })).toThrow(`${name} is not a count: ${value}`)
      }
      expect(() => make({ [name]: 86_400_001 })).toThrow(`${name} is over`)
      expect(() => make({ [name]: 100 })).not.toThrow()
    })
  }
})
