import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { HttpServer } from "../src/server/index.ts"
import * as Host from "./support/host.ts"
import { local } from "./support/local.ts"
import { initialize } from "./support/wire.ts"

const request = JsonRpc.request

describe("a bound that nothing would be over", () => {
  const never = {
    messageBytes: [NaN, 0],
    bodiesBytes: [NaN, 0],
    depth: [NaN, -1],
    drainMs: [NaN, -1],
    keepAliveMs: [NaN, 0],
    listens: [NaN, 0]
  }
  for (const [option, values] of Object.entries(never)) {
    it.effect(`is a mistake of the author: ${option}`, () =>
      Effect.gen(function* () {
        const host = yield* Host.make
        for (const value of values) {
          expect(Exit.isFailure(yield* Effect.exit(HttpServer.make(host, { [option]: value })))).toBe(true)
        }
      })
    )
  }
})

describe("what one session may hold", () => {
  const open = Effect.fnUntraced(function* () {
    const host = yield* Host.make
    const send = yield* local(host, { drainMs: 1 })
    const { id } = yield* send(initialize())
    const headers = { "mcp-session-id": id }
    return {
      host,
      send: (message: JsonRpc.Message | undefined, method?: string) => send(message, headers, method),
      announce: (n: number) => send(request(`a${n}`, "announce", { n }), headers)
    }
  })
  const reader = (response: Response) => {
    const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    return Effect.promise(async () => (await chunks?.read())?.value)
  }

  it.live("256 requests run at once, and the next is refused with 503", () =>
    Effect.gen(function* () {
      const { send } = yield* open()
      for (let n = 0; n < 256; n++) expect((yield* send(request(n, "linger"))).status).toBe(200)
      const refused = yield* send(request(256, "linger"))
      const text = yield* Effect.promise(() => refused.response.text())
      expect([refused.status, JSON.parse(text).id]).toEqual([503, 256])
      yield* send(JsonRpc.notification("notifications/cancelled", { requestId: 7 }))
      expect((yield* send(request(256, "echo"))).status).toBe(200)
    })
  )

  it.live("16 standalone streams, and the oldest ends for the next", () =>
    Effect.gen(function* () {
      const { announce, send } = yield* open()
      const streams = []
      for (let n = 0; n < 17; n++) streams.push(reader((yield* send(undefined, "GET")).response))
      const [oldest, second, last] = [streams[0]!, streams[1]!, streams[16]!]
      expect(yield* oldest).toBe(":\n\n")
      expect(yield* oldest).toBe(undefined)
      yield* announce(1)
      expect([yield* last, yield* last]).toEqual([":\n\n", expect.stringContaining('"n":1')])
      expect(yield* second).toBe(":\n\n")
    })
  )

  it.live("64 messages that nobody has heard yet: the oldest go", () =>
    Effect.gen(function* () {
      const { announce, send } = yield* open()
      for (let n = 0; n < 70; n++) yield* announce(n)
      const next = reader((yield* send(undefined, "GET")).response)
      yield* next
      expect(yield* next).toContain('"n":6')
      let said: string | undefined = ""
      while (said?.includes('"n":69') === false) said = yield* next
      yield* announce(70)
      expect(yield* next).toContain('"n":70')
    })
  )
})
