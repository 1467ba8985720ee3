import type { ClientCapabilities, InputRequest, JsonRpc, Revision } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Answers, Ask } from "../Ask.ts"
import { AskError } from "../AskError.ts"
import type { AskOptions, CallService } from "../Call.ts"
import { timeoutOf } from "./patience.ts"
import { prepare, type Put, type Way } from "./questions.ts"

/** A form that was accepted without content has an empty one, which some clients write as null. */
const forgive = (result: JsonRpc.JsonObject): JsonRpc.JsonObject => {
  if (result.content !== null) return result
  const { content: _nothing, ...rest } = result
  return rest
}

const idOf = ({ method, params }: InputRequest): string | undefined =>
  method === "elicitation/create" && params.mode === "url" ? params.elicitationId : undefined

/** `Call.ask` of one request, in the way of its era. */
export const make =
  (way: Way, revision: Revision, capabilities: ClientCapabilities): CallService["ask"] =>
  <const Q extends { readonly [key: string]: Ask<unknown> }>(
    questions: Q,
    options: AskOptions = {}
  ): Effect.Effect<Answers<Q>, AskError> => {
    const timeoutMs = timeoutOf(options)
    return Effect.suspend(() => {
      const entries = Object.entries<Ask<unknown>>(questions)
      const puts = prepare(
        entries.map(([key, { request }]) => [key, request] as const),
        revision,
        capabilities
      )
      if (puts instanceof AskError) return Effect.fail(puts)
      const read = ({ key, request }: Put, ask: Ask<unknown>, result: JsonRpc.JsonObject) => {
        const id = idOf(request)
        return ask.read(revision, forgive(result), id === undefined ? Effect.void : way.done(id)).pipe(
          Effect.mapError((detail) => new AskError({ reason: { _tag: "InvalidAnswer", key, detail } })),
          Effect.map((answer) => [key, answer] as const)
        )
      }
      return Effect.flatMap(way.put(puts, timeoutMs), (results) =>
        Effect.map(
          Effect.forEach(entries, ([, ask], i) => read(puts[i]!, ask, results[i]!)),
          (answers) => Object.fromEntries(answers) as Answers<Q> // cast: one answer a question, each read by its own
        )
      )
    }).pipe(Effect.mapError(way.refusal))
  }
