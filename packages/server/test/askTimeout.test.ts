import { JsonRpc } from "@effective-mcp/protocol"
import { Ask, AskError, Call, Server, Tool } from "@effective-mcp/server"
import * as Simple from "@effective-mcp/server/promise"
import { describe, expect, it } from "@effect/vitest"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { accept, legacyClient, rounds, textOf } from "./asking.ts"
import { info, wire } from "./wire.ts"

const form = Ask.form("Who are you?", { name: Schema.String })
const call = (name: string) => ({ name })

const said = (failed: unknown): string => (failed instanceof AskError ? failed.message : "?")

/** Asks as `timeout` says, and tells why it got no answer. */
const asking = (timeout?: Duration.Input) =>
  Tool.make("ask", {
    run: Effect.fnUntraced(function* () {
      return yield* (yield* Call).ask({ form }, { timeout }).pipe(
        Effect.map(({ form }) => form.action),
        Effect.catchTag("AskError", (failed) => Effect.succeed(said(failed)))
      )
    })
  })

/** The same as an async function. */
const simple = (timeout?: Duration.Input) =>
  Simple.tool("ask", {
    run: async (_, call) => {
      try {
        return (await call.ask({ form }, { timeout })).form.action
      } catch (failed) {
        return said(failed)
      }
    }
  })

/** As plain JavaScript may have them. */
const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
  ["abc", "abc", "timeout is not a length of time"],
  ["NaN", NaN, "timeout is not a length of time"],
  ["-1", -1, "timeout is not a length of time"],
  ["null", null, "timeout is not a length of time"],
  ["{ seconds: NaN }", { seconds: NaN }, "timeout is not a length of time"],
  ["0", 0, "timeout is under 1 ms: 0"],
  ["Infinity", Infinity, "timeout is over 86400000 ms: Infinity"],
  ["25 hours", "25 hours", "timeout is over 86400000 ms: 90000000"]
]

describe("how long one ask waits", () => {
  for (const [surface, make] of [
    ["an effect", asking],
    ["an async function", simple]
  ] as const) {
    it.effect(`S-36 is that ask's to say, in ${surface} for a legacy client`, () =>
      Effect.gen(function* () {
        for (const [options, timeout, afterMs] of [
          [{}, "5 seconds", 5_000],
          [{}, { minutes: 20 }, 1_200_000],
          [{ questionMs: 5_000 }, 86_400_000, 86_400_000],
          [{ questionMs: 5_000 }, undefined, 5_000]
        ] as const) {
          const client = yield* legacyClient(Server.make(info, [make(timeout)], options))
          const asked = yield* Effect.forkChild(client.result("tools/call", call("ask")))
          const { id } = yield* client.question(1)
          yield* TestClock.adjust(afterMs - 1)
          expect(asked.pollUnsafe()).toBeUndefined()
          yield* TestClock.adjust(1)
          expect(textOf(yield* Fiber.join(asked))).toBe(`the client did not answer in ${afterMs} ms`)
          expect(client.said.filter(JsonRpc.isNotification)).toEqual([
            JsonRpc.notification("notifications/cancelled", { requestId: id })
          ])
        }
      })
    )
  }

  it.effect("S-36 is that of each of its questions, and of no other ask", () =>
    Effect.gen(function* () {
      const two = Tool.make("two", {
        run: Effect.fnUntraced(function* () {
          const { ask } = yield* Call
          const failed = yield* Effect.flip(ask({ a: form, b: form }, { timeout: 1_000 }))
          const { c } = yield* ask({ c: form })
          return `${said(failed)}; ${c.action}`
        })
      })
      const client = yield* legacyClient(Server.make(info, [two]))
      const asked = yield* Effect.forkChild(client.result("tools/call", call("two")))
      yield* client.answer(yield* client.question(1), accept({ name: "a" }))
      yield* client.question(2)
      yield* TestClock.adjust(1_000)
      const third = yield* client.question(3)
      yield* TestClock.adjust(500_000)
      yield* client.answer(third, accept({ name: "c" }))
      expect(textOf(yield* Fiber.join(asked))).toBe("the client did not answer in 1000 ms; accept")
    })
  )

  it.effect("S-36 means nothing where a handler ends with its questions", () =>
    Effect.gen(function* () {
      const client = yield* wire(Server.make(info, [asking("1 milli")]))
      const { asked, result } = yield* rounds(client, "ask", () => accept({ name: "a" }))
      expect([asked, textOf(result)]).toEqual([[["form"]], "accept"])
    })
  )

  for (const [what, value, message] of wrong) {
    it.effect(`throws at once, in either era, before anything is asked: ${what}`, () =>
      Effect.gen(function* () {
        const thrown: Array<unknown> = []
        const tool = Tool.make("ask", {
          run: Effect.fnUntraced(function* () {
            const { ask } = yield* Call
            try {
              yield* ask({ form }, { timeout: value as Duration.Input }) // cast: it is none, which is the point
            } catch (cause) {
              thrown.push(cause)
            }
            return "on"
          })
        })
        const server = Server.make(info, [tool])
        const legacy = yield* legacyClient(server)
        expect(textOf(yield* legacy.result("tools/call", call("ask")))).toBe("on")
        expect(legacy.said.filter(JsonRpc.isRequest)).toEqual([])
        const { asked } = yield* rounds(yield* wire(server), "ask", () => undefined)
        expect(asked).toEqual([])
        expect(thrown).toEqual([
          expect.objectContaining({ message: expect.stringContaining(message) }),
          expect.objectContaining({ message: expect.stringContaining(message) })
        ])
      })
    )
  }

  it.effect("throws inside the promise of an async function, too", () =>
    Effect.gen(function* () {
      const tool = Simple.tool("ask", {
        run: async (_, call) => {
          try {
            await call.ask({ form }, { timeout: -1 })
            return "on"
          } catch (cause) {
            return String(cause)
          }
        }
      })
      const client = yield* legacyClient(Simple.server(info, [tool]))
      expect(textOf(yield* client.result("tools/call", call("ask")))).toContain("timeout is not a length of time: -1")
    })
  )
})
