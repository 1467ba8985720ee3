import { type Host, JsonRpc, Meta } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { initialize, modern, wire, type Wire } from "./wire.ts"

/** A client that can be asked everything. */
export const all = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} }

/** The parameters of a modern call of a tool. */
export const calling = (
  name: string,
  more: JsonRpc.JsonObject = {},
  capabilities: JsonRpc.JsonObject = all
): JsonRpc.JsonObject => modern({ name, ...more }, { [Meta.CLIENT_CAPABILITIES]: capabilities })

export const accept = (content: JsonRpc.JsonObject) => ({ action: "accept", content })

/** What a modern call has ended with, when it has ended with questions. */
export interface Round {
  readonly inputRequests: { readonly [key: string]: { readonly method: string; readonly params: JsonRpc.JsonObject } }
  readonly requestState: string
}

export const roundOf = (result: JsonRpc.JsonObject): Round => {
  if (result.resultType !== "input_required") throw new Error(`no questions: ${JSON.stringify(result)}`)
  return result as unknown as Round // cast: a test that reads more of it fails
}

/** The text that a tool gave back. */
export const textOf = (result: JsonRpc.JsonObject): unknown => {
  const [first] = result.content as ReadonlyArray<{ readonly text?: string }> // cast: a test of a text
  return first?.text
}

/** A modern client that answers every question with what `answer` says, for as many rounds as there are. */
export const rounds = Effect.fnUntraced(function* (
  { result }: Wire,
  name: string,
  answer: (key: string, round: number) => JsonRpc.JsonObject | undefined,
  args: JsonRpc.JsonObject = {}
) {
  let said = yield* result("tools/call", calling(name, { arguments: args }))
  const asked: Array<ReadonlyArray<string>> = []
  while (said.resultType === "input_required") {
    const { inputRequests, requestState } = roundOf(said)
    const keys = Object.keys(inputRequests)
    asked.push(keys)
    const inputResponses = Object.fromEntries(
      keys.flatMap((key) => {
        const given = answer(key, asked.length)
        return given === undefined ? [] : [[key, given] as const]
      })
    )
    said = yield* result("tools/call", calling(name, { arguments: args, inputResponses, requestState }))
  }
  return { asked, result: said }
})

export interface Legacy extends Wire {
  /** The n-th request of the server's, the first being 1. */
  readonly question: (n: number) => Effect.Effect<JsonRpc.Request>
  readonly answer: (question: JsonRpc.Request, result: JsonRpc.JsonObject) => Effect.Effect<void>
}

/** A legacy client that can be asked, through the handshake. */
export const legacyClient = Effect.fnUntraced(function* <R>(
  server: Host<R>,
  capabilities: JsonRpc.JsonObject = all,
  protocolVersion = "2025-11-25"
): Effect.fn.Return<Legacy, never, Scope.Scope | R> {
  const client = yield* wire(server)
  yield* client.result("initialize", { ...initialize, capabilities, protocolVersion })
  yield* client.say(JsonRpc.notification("notifications/initialized"))
  const questions = () => client.said.filter(JsonRpc.isRequest)
  return {
    ...client,
    question: (n) =>
      Effect.map(
        client.until(() => questions().length >= n),
        () => questions()[n - 1]!
      ),
    answer: ({ id }, result) => client.say(JsonRpc.success(id, result))
  }
})
