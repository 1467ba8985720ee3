import { PassThrough } from "node:stream"
import { JsonRpc, Meta, Peer } from "@effective-mcp/protocol"
import { Call, Server, Tool } from "@effective-mcp/server"
import { serve } from "@effective-mcp/transport-http/server"
import { pipe } from "@effective-mcp/transport-stdio"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const CLIENTS = 200

/** Says what it was told, once others have had their turn, and reports on the way. */
const echo = Tool.make("echo", {
  input: { text: Schema.String },
  run: Effect.fnUntraced(function* ({ text }) {
    const call = yield* Call
    yield* call.progress(1, 2, text)
    yield* Effect.sleep(text.length % 7)
    return text
  })
})
const server = Server.make({ name: "both", version: "1.0.0" }, [echo])

/** Every client asks with the same id and the same token. */
const asking = (text: string, meta: JsonRpc.JsonObject = {}) =>
  JsonRpc.request(1, "tools/call", { name: "echo", arguments: { text }, _meta: { progressToken: 1, ...meta } })

const modern = { [Meta.PROTOCOL_VERSION]: "2026-07-28", [Meta.CLIENT_CAPABILITIES]: {} }
const initialize = JsonRpc.request(1, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" }
})

const post = async (url: string, body: unknown, headers: { readonly [name: string]: string }) => {
  const common = { accept: "application/json, text/event-stream", "content-type": "application/json" }
  const response = await fetch(url, { method: "POST", headers: { ...common, ...headers }, body: JSON.stringify(body) })
  return { session: response.headers.get("mcp-session-id") ?? "", text: await response.text() }
}

const overModernHttp = async (url: string, text: string): Promise<string> => {
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "echo" }
  return (await post(url, asking(text, modern), headers)).text
}

const overLegacyHttp = async (url: string, text: string): Promise<string> => {
  const { session } = await post(url, initialize, {})
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }
  return (await post(url, asking(text), headers)).text
}

/** A client on the lines of stdio, in this process. */
const overLines = Effect.fnUntraced(function* (text: string) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  yield* Effect.forkScoped(Effect.ignore(Peer.host(yield* pipe(input, output), server)))
  let said = ""
  input.write(`${JSON.stringify(asking(text, modern))}\n`)
  return yield* Effect.callback<string>((resume) => {
    output.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk
      if (said.includes('"result"')) resume(Effect.succeed(said))
    })
  })
})

it.live(
  `one server on stdio and HTTP at once answers each of ${CLIENTS} clients with what it asked, all of one id`,
  () =>
    Effect.gen(function* () {
      const { url } = yield* serve(server)
      const ask = (text: string, n: number): Effect.Effect<string, never, never> => {
        if (n % 3 === 0) return Effect.scoped(overLines(text))
        return Effect.promise(() => (n % 3 === 1 ? overModernHttp(url, text) : overLegacyHttp(url, text)))
      }
      const texts = Array.from({ length: CLIENTS }, (_, n) => `<${"x".repeat(n % 11)}${n}>`)
      const answers = yield* Effect.forEach(texts, ask, { concurrency: "unbounded" })
      for (const [n, answer] of answers.entries()) {
        expect(answer).toContain(`"message":"${texts[n]}"`)
        expect(answer).toContain(`"text":"${texts[n]}"`)
        expect(texts.filter((text) => answer.includes(text))).toStrictEqual([texts[n]])
      }
    })
)
