import { type Handler, type Host, Peer } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { begin, deaf, failedWith, request, success } from "../script.ts"

const quiet: Pick<Handler, "notify"> = { notify: () => Effect.void }

describe("local", () => {
  const host: Host = {
    modern: { ...quiet, exchange: ({ id }) => Effect.succeed(success(id, { era: "modern" })) },
    converse: () =>
      Effect.succeed({
        on: (client) => ({
          ...quiet,
          exchange: ({ id }) =>
            Effect.map(Effect.orDie(client.exchange(request("q", "roots/list"), deaf)), (answer) => ({ ...answer, id }))
        }),
        snapshot: Effect.succeed({})
      })
  }

  it.effect("answers in the era that each request opens, and carries its questions", () =>
    Effect.gen(function* () {
      const peer = yield* Peer.local(host)
      expect(yield* peer.exchange(request(1, "server/discover"), deaf)).toStrictEqual(success(1, { era: "modern" }))
      const asking = yield* begin(peer, request(2, "tools/call"))
      yield* Stream.runForEach(Stream.take(Stream.fromPull(peer.incoming), 1), ({ method }) =>
        peer.send(success("q", { method }))
      )
      expect(yield* Fiber.join(asking)).toStrictEqual(Exit.succeed(success(2, { method: "roots/list" })))
    })
  )

  it.effect("is over with its scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const peer = yield* Scope.provide(Peer.local(host), scope)
      const open = yield* begin(peer, request(1, "tools/call"))
      yield* Scope.close(scope, Exit.void)
      expect(yield* Fiber.join(open)).toMatchObject(failedWith({ _tag: "Closed" }))
    })
  )
})
