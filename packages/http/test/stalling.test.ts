import { connect } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { toFetch } from "../src/adapter/fetch.ts"
import type { HttpHandler } from "../src/index.ts"
import { serve } from "../src/serve/serve.ts"
import { byHand, makeFloodFor, onNode, PART, settled, TYPE } from "./support.ts"

/** A client that asks, and reads nothing until it is told to. */
const deaf = (port: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = connect(port, "127.0.0.1")
      socket.on("error", () => {})
      socket.pause()
      socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n")
      return {
        /** The bytes that still come until the connection closes. */
        rest: Effect.callback<number>((resume) => {
          let size = 0
          socket.on("data", (part) => (size += part.length))
          socket.on("close", () => resume(Effect.sync(() => size)))
          socket.resume()
        }),
        leave: () => socket.destroy()
      }
    }),
    ({ leave }) => Effect.sync(leave)
  )

const fetched = (handler: HttpHandler) =>
  Effect.promise(async () => {
    const { body } = await toFetch(handler)(new Request("http://a.example/"))
    const reader = body!.getReader()
    return {
      take: Effect.promise(() => reader.read()),
      /** The bytes that still come; undefined where they do not come to a good end. */
      rest: Effect.promise(async () => {
        let size = 0
        try {
          for (let part = await reader.read(); !part.done; part = await reader.read()) size += part.value.length
          return size
        } catch {
          return undefined
        }
      })
    }
  })

describe("a reader that takes nothing", () => {
  it.live("is let go after two beats: its connection closes, and its handler is interrupted", () =>
    Effect.gen(function* () {
      for (const isOwn of [false, true]) {
        const { beat, beats, size } = byHand()
        const flood = yield* makeFloodFor(beats)
        const port = isOwn ? (yield* serve(Effect.succeed(flood.handler))).port : yield* onNode(flood.handler)
        const client = yield* deaf(port)
        const said = yield* settled(flood.said)
        expect(size()).toBe(1)
        yield* beat
        expect(yield* settled(flood.said)).toBe(said)
        yield* beat
        expect(yield* flood.ended).toBe(said)
        expect(size()).toBe(0)
        expect(yield* client.rest).toBeLessThan((said + 1) * PART)
      }
    })
  )

  it.live("has as long again whenever it takes something", () =>
    Effect.gen(function* () {
      const { beat, beats, size } = byHand()
      const flood = yield* makeFloodFor(beats)
      const client = yield* fetched(flood.handler)
      for (let n = 0; n < 5; n++) {
        const before = yield* settled(flood.said)
        yield* beat
        // one part may be on its way already
        yield* Effect.all([client.take, client.take])
        expect(yield* settled(flood.said)).toBeGreaterThan(before)
      }
      yield* beat
      yield* beat
      yield* flood.ended
      expect([yield* client.rest, size()]).toEqual([undefined, 0])
    })
  )

  it.live("gets no room from what is only offered to it", () =>
    Effect.gen(function* () {
      const { beat, beats } = byHand()
      const waits = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      let offer = () => {}
      const handler: HttpHandler = (_request, response) =>
        Effect.gen(function* () {
          offer = () => response.offer(":\n\n")
          response.head(200, TYPE)
          yield* Deferred.succeed(waits, undefined)
          for (;;) yield* response.write("x".repeat(PART), beats)
        }).pipe(Effect.ensuring(Deferred.succeed(ended, undefined)))
      const client = yield* fetched(handler)
      yield* Deferred.await(waits)
      for (let n = 0; n < 2; n++) {
        offer()
        yield* beat
        offer()
      }
      yield* Deferred.await(ended)
      expect(yield* client.rest).toBe(undefined)
    })
  )

  it.live("is let go after the end, too, if it was behind by then; else it may take its time", () =>
    Effect.gen(function* () {
      const enders =
        (patience: ReturnType<typeof byHand>["beats"]): HttpHandler =>
        (_request, response) =>
          Effect.suspend(() => {
            response.head(200, TYPE)
            Effect.runFork(
              Effect.forEach([1, 2, 3], () => response.write("x".repeat(PART), patience), { concurrency: 3 })
            )
            response.end("last")
            return Effect.void
          })
      const { beat, beats, size } = byHand()
      const reads = yield* fetched(enders(beats))
      yield* beat
      expect([yield* reads.rest, size()]).toEqual([3 * PART + 4, 0])
      const stalls = yield* fetched(enders(beats))
      yield* beat
      yield* beat
      expect([yield* stalls.rest, size()]).toEqual([undefined, 0])
    })
  )
})
