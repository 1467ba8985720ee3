import { connect, createServer, type Socket } from "node:net"
import { proxy, type TcpOptions } from "@effective-mcp/testkit/tcp"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"

/** A server that gives back what it is sent; its port. */
const echoing = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
    const open = new Set<Socket>()
    const server = createServer((socket) => {
      open.add(socket)
      socket.on("error", () => {})
      socket.pipe(socket)
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const close = (): void => {
        server.close()
        for (const socket of open) socket.destroy()
      }
      resume(Effect.succeed({ port: typeof address === "object" && address !== null ? address.port : 0, close }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const between = (options: Omit<TcpOptions, "port"> = {}) =>
  Effect.flatMap(echoing, ({ port }) => proxy({ ...options, port: () => port }))

/** What comes back of a text: all until `length` characters are there, or the end. */
const say = (port: number, text: string, length = text.length) =>
  Effect.callback<string>((resume) => {
    let heard = ""
    const socket = connect({ host: "127.0.0.1", port }, () => socket.write(text))
    const end = (): void => {
      socket.destroy()
      resume(Effect.succeed(heard))
    }
    socket.on("data", (piece) => {
      heard += String(piece)
      if (heard.length >= length) end()
    })
    socket.on("error", end)
    socket.on("end", end)
    socket.on("close", end)
    return Effect.sync(() => socket.destroy())
  })

describe("what stands between a client and a server over TCP", () => {
  it.live("passes what is not struck", () =>
    Effect.gen(function* () {
      const { port, report } = yield* between()
      expect(yield* say(port, "hello")).toBe("hello")
      expect(report()).toBe("seed 0, no faults")
    })
  )
  it.live("cuts the body behind a head, and ends", () =>
    Effect.gen(function* () {
      const { port, strike } = yield* between()
      yield* strike("half", "response")
      expect(yield* say(port, "head\r\n\r\nabcdef", 99)).toBe("head\r\n\r\nabc")
      yield* strike("half", "response")
      expect(yield* say(port, "abcdef", 99)).toBe("abc")
    })
  )
  it.live("doubles a piece, and breaks all there is", () =>
    Effect.gen(function* () {
      const { port, strike } = yield* between()
      yield* strike("duplicate", "response")
      expect(yield* say(port, "hello", 10)).toBe("hellohello")
      yield* strike("reset", "request")
      expect(yield* say(port, "hello")).toBe("")
    })
  )
  it.live("swallows all until it is healed, and what is new as well", () =>
    Effect.gen(function* () {
      const { heal, port, strike } = yield* between()
      yield* strike("blackHole", "request")
      const swallowed = yield* Effect.forkScoped(say(port, "one"))
      yield* Effect.sleep(20)
      expect(yield* Effect.timeoutOption(say(port, "two"), 50)).toMatchObject({ _tag: "None" })
      yield* heal
      expect(yield* say(port, "three")).toBe("three")
      expect(swallowed.pollUnsafe()).toEqual(Exit.succeed(""))
    })
  )
  it.live("has newcomers wait for the server that comes after a crash", () =>
    Effect.gen(function* () {
      const { port, strike } = yield* between({ crash: Effect.sleep(50) })
      yield* strike("crash", "request")
      expect(yield* say(port, "one")).toBe("")
      expect(yield* say(port, "two")).toBe("two")
    })
  )
  it.live("strikes the same from the same seed", () =>
    Effect.gen(function* () {
      const storm = Effect.fnUntraced(function* (seed: number) {
        const { port, report } = yield* between({ seed, chances: { reset: 0.2, half: 0.2, delay: 0.2, delayMs: 3 } })
        for (let n = 0; n < 20; n++) yield* say(port, `hello ${n}`)
        return report()
      })
      const first = yield* storm(7)
      expect(yield* storm(7)).toBe(first)
      expect(first.split("\n").length).toBeGreaterThan(8)
      expect((yield* storm(8)).replace("seed 8", "seed 7")).not.toBe(first)
    })
  )
  it.live("ends with its scope, whatever is open", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { held, port, strike } = yield* Scope.provide(between(), scope)
      yield* strike("blackHole", "request")
      const open = yield* Effect.forkScoped(say(port, "hello"))
      while ((yield* held) === 0) yield* Effect.sleep(5)
      yield* Scope.close(scope, Exit.void)
      yield* Effect.sleep(20)
      expect(open.pollUnsafe()).toEqual(Exit.succeed(""))
    })
  )
})
