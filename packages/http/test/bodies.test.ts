import { connect } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { toHttpEffect } from "../src/adapter/effect.ts"
import { toFetch } from "../src/adapter/fetch.ts"
import { Body, type HttpHandler, Intake } from "../src/index.ts"
import { onNode, TYPE } from "./support.ts"

const KiB = 1024
const MOST = 1024 * KiB
const SIZE = 700 * KiB
const SENT = 600 * KiB

/** A body that has begun to come. */
interface Begun {
  readonly status: Effect.Effect<number>
  /** Sends what is left of it. */
  readonly finish: Effect.Effect<void>
}

/** Begins to send a body of a length: all or a part of it. */
type Begin = (size: number, sent: number, isLate?: boolean) => Begun

const headersOf = (size: number, isLate: boolean) => ({
  "content-length": String(size),
  ...(isLate ? { "x-late": "yes" } : {})
})

const onSocket = (handler: HttpHandler) =>
  Effect.map(onNode(handler), (port): Begin => (size, sent, isLate = false) => {
    const socket = connect(port, "127.0.0.1")
    const head = Object.entries(headersOf(size, isLate)).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST /p HTTP/1.1\r\nhost: a\r\n${head.join("")}\r\n`)
    socket.write("x".repeat(sent))
    const status = new Promise<number>((resolve) => {
      socket.on("error", () => {}).on("close", () => resolve(0))
      socket.on("data", (part) => {
        resolve(Number(part.toString().split(" ")[1]))
        socket.destroy()
      })
    })
    return {
      status: Effect.promise(() => status),
      finish: Effect.sync(() => void socket.write("x".repeat(size - sent)))
    }
  })

const asFunction =
  (serve: (request: Request) => Promise<Response>): Begin =>
  (size, sent, isLate = false) => {
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = controller
        controller.enqueue(new Uint8Array(sent))
        if (sent === size) controller.close()
      }
    })
    const init = { method: "POST", body, headers: headersOf(size, isLate), duplex: "half" } as const
    const answer = serve(new Request("http://a.example/p", init))
    return {
      status: Effect.map(
        Effect.promise(() => answer),
        ({ status }) => status
      ),
      finish: Effect.sync(() => {
        stream?.enqueue(new Uint8Array(size - sent))
        stream?.close()
      })
    }
  }

const adapters = {
  "node:http": onSocket,
  fetch: (handler: HttpHandler) => Effect.succeed(asFunction(toFetch(handler))),
  "Effect's": (handler: HttpHandler) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() =>
          HttpRouter.toWebHandler(HttpRouter.add("*", "/p", toHttpEffect(handler)), { disableLogger: true })
        ),
        ({ dispose }) => Effect.promise(dispose)
      ),
      ({ handler }) => asFunction((request) => handler(request))
    )
}

/** Waits for something that comes from outside; the test's own bound ends it. */
const until = (isTrue: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (isTrue() ? Effect.void : Effect.andThen(Effect.sleep(1), until(isTrue))))

/** A handler that reads bodies under one bound for all, on a clock of the test. */
const setup = (onAdapter: (typeof adapters)[keyof typeof adapters]) =>
  Effect.gen(function* () {
    let time = 0
    let told = 0
    const counting = Intake.make({ most: MOST, now: () => time })
    const intake: Intake.Intake = {
      give: (cut) => counting.give(cut),
      take: (cut, size) => {
        told = size
        return counting.take(cut, size)
      }
    }
    const late = yield* Deferred.make<void>()
    const begin = yield* onAdapter((request, response) => {
      const answered = Effect.match(Body.read(request, { limit: SIZE, intake }), {
        onSuccess: () => response.whole(200, TYPE, "read"),
        onFailure: (error) => response.whole(Body.refusalOf(error).status, TYPE, error.reason)
      })
      if (request.header("x-late") === undefined) return answered
      const ended = Effect.andThen(
        Deferred.await(late),
        Effect.sync(() => response.whole(408, TYPE, "late"))
      )
      return Effect.raceFirst(answered, ended)
    })
    return {
      begin,
      late,
      pass: (ms: number) => (time += ms),
      /** Begins one, and waits for what has come of it. */
      half: (isLate = false) =>
        Effect.suspend(() => {
          told = 0
          const begun = begin(SIZE, SENT, isLate)
          return Effect.as(
            until(() => told >= SENT),
            begun
          )
        })
    }
  })

for (const [name, onAdapter] of Object.entries(adapters)) {
  describe(`bodies that come at once, through the adapter of ${name}`, () => {
    it.live("have a bound together: one more is refused, a small one never, and what was read counts no more", () =>
      Effect.gen(function* () {
        const { begin, half } = yield* setup(onAdapter)
        const first = yield* half()
        expect(yield* begin(SIZE, SENT).status).toBe(503)
        expect(yield* begin(64 * KiB, 64 * KiB).status).toBe(200)
        yield* first.finish
        expect(yield* first.status).toBe(200)
        for (let n = 0; n < 3; n++) expect(yield* begin(SIZE, SIZE).status).toBe(200)
      })
    )

    it.live("count by what has come of them, not by what they may have", () =>
      Effect.gen(function* () {
        const { begin } = yield* setup(onAdapter)
        const idle = Array.from({ length: 20 }, () => begin(SIZE, 1))
        for (let n = 0; n < 3; n++) expect(yield* begin(SIZE, SIZE).status).toBe(200)
        yield* idle[0]!.finish
        expect(yield* idle[0]!.status).toBe(200)
      })
    )

    it.live("make room when they stall and others need it", () =>
      Effect.gen(function* () {
        const { begin, half, pass } = yield* setup(onAdapter)
        const stalled = yield* half()
        pass(999)
        expect(yield* begin(SIZE, SIZE).status).toBe(503)
        pass(1)
        expect(yield* begin(SIZE, SIZE).status).toBe(200)
        expect(yield* stalled.status).toBe(503)
        expect(yield* begin(SIZE, SIZE).status).toBe(200)
      })
    )

    it.live("count no more once nobody waits for them", () =>
      Effect.gen(function* () {
        const { begin, half, late } = yield* setup(onAdapter)
        const left = yield* half(true)
        expect(yield* begin(SIZE, SENT).status).toBe(503)
        yield* Deferred.succeed(late, undefined)
        expect(yield* left.status).toBe(408)
        expect(yield* begin(SIZE, SIZE).status).toBe(200)
      })
    )
  })
}
