import { Ask, changes, resource, server, tool } from "@effective-mcp/server/promise"
import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as z from "zod"
import { accept, calling, legacyClient, roundOf, rounds, textOf } from "./asking.ts"
import { info, modern, wire } from "./wire.ts"

const guests = z.object({ guests: z.int().min(1).max(9).meta({ title: "Guests" }), where: z.enum(["in", "out"]) })

const book = tool("book", {
  run: async (_, call) => {
    const { table } = await call.ask({ table: Ask.form("A table", guests) })
    if (table.action !== "accept") return table.action
    const { sure } = await call.ask({ sure: Ask.form("Sure?", z.object({ yes: z.boolean() })) })
    return `${table.content.guests} ${table.content.where} ${sure.action}`
  }
})

const answers = (key: string) => accept(key === "table" ? { guests: 2, where: "out" } : { yes: true })

describe("a question of an async function", () => {
  it.effect("is a form of its zod schema", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server(info, [book]))
      const { inputRequests } = roundOf(yield* result("tools/call", calling("book")))
      expect(inputRequests.table?.params.requestedSchema).toEqual({
        type: "object",
        properties: {
          guests: { type: "integer", minimum: 1, maximum: 9, title: "Guests" },
          where: { type: "string", enum: ["in", "out"] }
        },
        required: ["guests", "where"]
      })
    })
  )
  it.effect("on modern ends the call, which runs again from the top with the answers", () =>
    Effect.gen(function* () {
      const { asked, result } = yield* rounds(yield* wire(server(info, [book])), "book", answers)
      expect(asked).toEqual([["table"], ["sure"]])
      expect(textOf(result)).toBe("2 out accept")
    })
  )
  it.effect("on legacy is answered while the function waits", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(server(info, [book]))
      const calling = yield* Effect.forkScoped(client.result("tools/call", { name: "book" }))
      yield* client.answer(yield* client.question(1), answers("table"))
      yield* client.answer(yield* client.question(2), answers("sure"))
      expect(textOf(yield* Fiber.join(calling))).toBe("2 out accept")
    })
  )
  it.effect("that is not answered as it asks fails with the field, and never with what stood there", () =>
    Effect.gen(function* () {
      const { error, result } = yield* wire(server(info, [book]))
      const { requestState } = roundOf(yield* result("tools/call", calling("book")))
      const inputResponses = { table: accept({ guests: 1, where: "s3cr3t" }) }
      const refused = yield* error("tools/call", calling("book", { inputResponses, requestState }))
      expect(refused).toMatchObject({
        code: -32602,
        message: expect.stringContaining('the field "where" does not fit')
      })
      expect(JSON.stringify(refused)).not.toContain("s3cr3t")
    })
  )
  it("cannot be what no form can say", () => {
    expect(() => Ask.form("?", z.object({ deep: z.object({ a: z.string() }) }))).toThrow("deep")
    expect(() => Ask.form("?", z.string())).toThrow("string")
  })
})

describe("a function that a question ends", () => {
  it.effect("goes no further, whatever it catches, and its signal aborts", () =>
    Effect.gen(function* () {
      const after: Array<string> = []
      const aborted = yield* Deferred.make<AbortSignal>()
      const stubborn = tool("stubborn", {
        run: async (_, call) => {
          call.signal.addEventListener("abort", () => Deferred.doneUnsafe(aborted, Effect.succeed(call.signal)))
          try {
            await call.ask({ sure: Ask.form("Sure?", z.object({ yes: z.boolean() })) })
            after.push("went on")
          } catch {
            after.push("caught")
          } finally {
            after.push("finally")
          }
          return ""
        }
      })
      const { result } = yield* wire(server(info, [stubborn]))
      const { requestState } = roundOf(yield* result("tools/call", calling("stubborn")))
      expect((yield* Deferred.await(aborted)).aborted).toBe(true)
      yield* result("tools/list", modern())
      expect(after).toEqual([])
      const inputResponses = { sure: accept({ yes: true }) }
      yield* result("tools/call", calling("stubborn", { inputResponses, requestState }))
      expect(after).toEqual(["went on", "finally"])
    })
  )
  it.effect("on legacy goes no further once its call is cancelled, and its question is withdrawn", () =>
    Effect.gen(function* () {
      const after: Array<string> = []
      const aborted = yield* Deferred.make<void>()
      const waiting = tool("waiting", {
        run: async (_, call) => {
          call.signal.addEventListener("abort", () => Deferred.doneUnsafe(aborted, Effect.void))
          await call.ask({ roots: Ask.roots }).finally(() => after.push("settled"))
          return ""
        }
      })
      const client = yield* legacyClient(server(info, [waiting]))
      yield* client.say(JsonRpc.request(7, "tools/call", { name: "waiting" }))
      const { id } = yield* client.question(1)
      yield* client.say(JsonRpc.notification("notifications/cancelled", { requestId: 7 }))
      yield* Deferred.await(aborted)
      const isWithdrawn = (message: JsonRpc.Message) =>
        "method" in message && message.method === "notifications/cancelled" && message.params?.requestId === id
      yield* client.until(() => client.said.some(isWithdrawn))
      yield* client.result("ping")
      expect(after).toEqual([])
    })
  )
})

describe("a question that cannot be put", () => {
  it.effect("rejects with an AskError, which may be caught", () =>
    Effect.gen(function* () {
      const calm = tool("calm", {
        run: (_, call) =>
          call.ask({ roots: Ask.roots }).then(
            () => "roots",
            (error: unknown) => (error instanceof Error ? error.message : "?")
          )
      })
      const { result } = yield* wire(server(info, [calm]))
      expect(textOf(yield* result("tools/call", calling("calm", {}, {})))).toBe("the client has not declared roots")
    })
  )
})

it.effect("a page that a person was sent to is said to be done by a function", () =>
  Effect.gen(function* () {
    const pay = tool("pay", {
      run: async (_, call) => {
        const { page } = await call.ask({ page: Ask.url("Pay here", "https://pay.example/1", "pay 1") })
        if (page.action === "accept") await page.done()
        return page.action
      }
    })
    const client = yield* legacyClient(server(info, [pay]))
    const calling = yield* Effect.forkScoped(client.result("tools/call", { name: "pay" }))
    yield* client.answer(yield* client.question(1), { action: "accept" })
    expect(textOf(yield* Fiber.join(calling))).toBe("accept")
    expect(client.said).toContainEqual(
      JsonRpc.notification("notifications/elicitation/complete", { elicitationId: "pay 1" })
    )
  })
)

it.effect("a change is told by a function", () =>
  Effect.gen(function* () {
    const changed = changes()
    const counter = resource("counter://now", { read: () => "1" })
    const client = yield* legacyClient(server(info, [counter], { changes: changed }))
    yield* client.result("resources/subscribe", { uri: "counter://now" })
    yield* Effect.promise(() => changed.updated("counter://now"))
    yield* Effect.promise(() => changed.listChanged("resources"))
    const methods = () => client.said.flatMap((message) => ("method" in message ? [message.method] : []))
    yield* client.until(() => methods().length >= 2)
    expect(methods().sort()).toEqual(["notifications/resources/list_changed", "notifications/resources/updated"])
  })
)
