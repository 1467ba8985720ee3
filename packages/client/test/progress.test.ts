import { Tools } from "@effective-mcp/client"
import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { begin, connect, modern, result, scripted, silence } from "./scripted.ts"

const mute = () => scripted(modern({ "tools/call": silence, "tools/list": result({ tools: [] }) }))

const report = ({ id }: JsonRpc.Request, progress: unknown, more: JsonRpc.JsonObject = {}) =>
  JsonRpc.notification("notifications/progress", { progressToken: id, progress, ...more })

const done = ({ id }: JsonRpc.Request) => JsonRpc.success(id, { content: [] })

describe("progress", () => {
  it.effect("reaches the call that it belongs to, in order, before the answer", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const heard: Array<unknown> = []
      const call = (name: string) =>
        begin(
          Tools.call(client, name, {}, { onProgress: (progress) => void heard.push([name, progress]) }).pipe(
            Effect.tap(() => Effect.sync(() => heard.push(name)))
          )
        )
      const calls = [yield* call("a"), yield* call("b")]
      const [, a, b] = server.run.requests
      server.run.say(
        report(a!, 0.5, { total: 2, message: "half" }),
        report(b!, 1),
        report(a!, 2, { total: 2 }),
        done(a!)
      )
      yield* Fiber.join(calls[0]!)
      server.run.say(done(b!))
      yield* Fiber.join(calls[1]!)
      expect(heard.filter((entry) => entry === "a" || (Array.isArray(entry) && entry[0] === "a"))).toEqual([
        ["a", { progress: 0.5, total: 2, message: "half" }],
        ["a", { progress: 2, total: 2 }],
        "a"
      ])
      expect(heard.filter((entry) => entry === "b" || (Array.isArray(entry) && entry[0] === "b"))).toEqual([
        ["b", { progress: 1 }],
        "b"
      ])
    })
  )
  it.effect("of 10,000 reports in a burst all arrive, in order", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const heard: Array<number> = []
      const onProgress = ({ progress }: { readonly progress: number }) => void heard.push(progress)
      const call = yield* begin(Tools.call(client, "t", {}, { onProgress }))
      const request = server.run.last
      const numbers = Array.from({ length: 10_000 }, (_, i) => i + 1)
      server.run.say(...numbers.map((n) => report(request, n)), done(request))
      yield* Fiber.join(call)
      expect(heard).toEqual(numbers)
    })
  )
  it.effect("is heard one report at a time, and a slow listener delays no other call", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const gate = yield* Deferred.make<void>()
      const busy = yield* Deferred.make<void>()
      let running = 0
      let most = 0
      const onProgress = () =>
        Effect.gen(function* () {
          most = Math.max(most, ++running)
          yield* Deferred.succeed(busy, undefined)
          yield* Deferred.await(gate)
          running--
        })
      const slow = yield* begin(Tools.call(client, "slow", {}, { onProgress }))
      const request = server.run.last
      server.run.say(report(request, 1), report(request, 2), report(request, 3), done(request))
      yield* Deferred.await(busy)
      const quick: Array<number> = []
      const other = yield* begin(
        Tools.call(client, "quick", {}, { onProgress: ({ progress }) => void quick.push(progress) })
      )
      server.run.say(report(server.run.last, 7), done(server.run.last))
      yield* Fiber.join(other)
      yield* Tools.list(client)
      expect(quick).toEqual([7])
      expect(slow.pollUnsafe()).toBeUndefined()
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(slow)
      expect(most).toBe(1)
    })
  )
  it.effect("that nobody listens to does no harm, nor what is no progress", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const heard: Array<unknown> = []
      const call = yield* begin(Tools.call(client, "t", {}, { onProgress: (progress) => void heard.push(progress) }))
      const deaf = yield* begin(Tools.call(client, "t"))
      const [, first, second] = server.run.requests
      server.run.say(
        report(second!, 1),
        report(first!, "much"),
        report(first!, null),
        report(first!, 1, { total: "all", message: 5 }),
        JsonRpc.notification("notifications/progress"),
        JsonRpc.notification("notifications/progress", { progressToken: { a: 1 }, progress: 1 }),
        done(first!),
        done(second!)
      )
      yield* Fiber.join(call)
      yield* Fiber.join(deaf)
      expect(heard).toEqual([{ progress: 1 }])
    })
  )
  it.effect(
    "only ever increases: a report that says no more than the last is left out, and so is what is no number",
    () =>
      Effect.gen(function* () {
        const server = mute()
        const client = yield* connect(server)
        const heard: Array<unknown> = []
        const hear = (progress: unknown) => void heard.push(progress)
        const call = yield* begin(Tools.call(client, "t", {}, { onProgress: hear }))
        const other = yield* begin(Tools.call(client, "t", {}, { onProgress: hear }))
        const [, first, second] = server.run.requests
        const endless = JSON.stringify(report(first!, 0)).replace('"progress":0', '"progress":1e999')
        const total = JSON.stringify(report(first!, 3, { total: 0 })).replace('"total":0', '"total":1e999')
        server.run.say(endless, endless.replace("1e999", "-1e999"))
        server.run.say(...[-1, 0, 0, -5, 2, 1, 2].map((n) => report(first!, n)), total, done(first!))
        yield* Fiber.join(call)
        expect(heard).toEqual([-1, 0, 2, 3].map((progress) => ({ progress })))
        heard.length = 0
        server.run.say(report(second!, 1), report(second!, 1), done(second!))
        yield* Fiber.join(other)
        expect(heard).toEqual([{ progress: 1 }])
      })
  )
  it.effect("after the answer is heard by nobody", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const heard: Array<unknown> = []
      const call = yield* begin(Tools.call(client, "t", {}, { onProgress: (progress) => void heard.push(progress) }))
      const request = server.run.last
      server.run.say(done(request), report(request, 1))
      yield* Fiber.join(call)
      yield* Tools.list(client)
      expect(heard).toEqual([])
    })
  )
  it.effect("whose listener dies fails its call alone, and cancels it", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const boom = (): void => {
        throw new Error("boom")
      }
      const call = yield* begin(Effect.exit(Tools.call(client, "t", {}, { onProgress: boom })))
      server.run.say(report(server.run.last, 1))
      const exit = yield* Fiber.join(call)
      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
      expect(server.run.methods.at(-1)).toBe("notifications/cancelled")
      yield* Tools.list(client)
    })
  )
})
