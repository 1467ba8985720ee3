import { createServer, type IncomingMessage } from "node:http"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { toNodeListener } from "../src/adapter/node.ts"
import type { HttpHandler, HttpRequest, HttpResponse, KeepAlive } from "../src/index.ts"

/** A request that nobody has sent. */
export const requestOf = ({
  body = "",
  headers = {}
}: {
  readonly body?: string | Uint8Array
  readonly headers?: Record<string, string>
}): HttpRequest & { readonly read: () => number } => {
  let read = 0
  return {
    method: "POST",
    url: "/",
    header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
    body: () =>
      Effect.sync(() => {
        read++
        return typeof body === "string" ? new TextEncoder().encode(body) : body
      }),
    read: () => read
  }
}

export const TYPE = { "content-type": "text/plain" }

/** How much a flood says at once. */
export const PART = 64 * 1024

/** What beats by hand, for all that is added. */
export const byHand = () => {
  const all = new Set<KeepAlive.Beating>()
  const beats: KeepAlive.KeepAlive = {
    add: (one) => void all.add(one),
    remove: (one) => void all.delete(one),
    close: () => all.clear()
  }
  const beat = Effect.sync(() => {
    for (const one of all) one.beat()
  })
  return { beats, beat, size: () => all.size }
}

/** A handler that says more than anybody reads, how much of it so far, and how much when it ended. */
export const makeFlood = Effect.suspend(() => makeFloodFor())

/** The same for readers that are waited for no longer than two beats. */
export const makeFloodFor = Effect.fnUntraced(function* (patience?: KeepAlive.KeepAlive) {
  const ended = yield* Deferred.make<number>()
  const part = "x".repeat(PART)
  const said = { parts: 0 }
  const handler: HttpHandler = (_request, response) =>
    Effect.gen(function* () {
      response.head(200, TYPE)
      while (said.parts < 10_000) {
        said.parts++
        yield* response.write(part, patience)
      }
    }).pipe(Effect.ensuring(Effect.suspend(() => Deferred.succeed(ended, said.parts))))
  return { handler, ended: Deferred.await(ended), said }
})

/** How much a flood has said once it says no more. */
export const settled = (said: { readonly parts: number }): Effect.Effect<number> =>
  Effect.gen(function* () {
    let before = -1
    while (before !== said.parts || before < 1) {
      before = said.parts
      yield* Effect.sleep(50)
    }
    return before
  })

/** How much a writer says. */
export const WRITTEN = 40 * 32 * 1024

/** A handler whose writer gives others a turn after every few of its steps, and outlives its request. */
export const makeWriter = Effect.map(Deferred.make<void>(), (done) => {
  const writing = (response: HttpResponse) =>
    Effect.forEach(Array.from({ length: 40 }), () => response.write("x".repeat(WRITTEN / 40)), {
      discard: true
    }).pipe(
      Effect.andThen(Effect.sync(() => response.end())),
      Effect.ensuring(Deferred.succeed(done, undefined)),
      Effect.provideService(References.MaxOpsBeforeYield, 3)
    )
  const handler: HttpHandler = (_request, response) =>
    Effect.suspend(() => {
      response.head(200, TYPE)
      Effect.runFork(writing(response))
      return Effect.never
    })
  return { handler, done: Deferred.await(done) }
})

/** Serves a handler on `node:http`, which every runtime has. */
export const onNode = (handler: HttpHandler, before: (req: IncomingMessage) => Promise<void> = async () => {}) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ port: number; close: Effect.Effect<void> }>((resume) => {
        const listener = toNodeListener(handler)
        const server = createServer((req, res) => void before(req).then(() => listener(req, res)))
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const port = typeof address === "object" && address !== null ? address.port : 0
          const close = Effect.sync(() => {
            server.close()
            server.closeAllConnections()
          })
          resume(Effect.succeed({ port, close }))
        })
      }),
      ({ close }) => close
    ),
    ({ port }) => port
  )
