import { type Connection, ErrorCode, JsonRpc, type Revision, RpcError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AskError } from "../AskError.ts"
import type { Asks } from "../Call.ts"
import { InputRequired } from "../InputRequired.ts"
import type { Answer, Asked, During } from "./during.ts"
import { make } from "./make.ts"
import { prepare, type Put, type Way } from "./questions.ts"

/** Whom a conversation reaches over one connection. */
export interface Reached extends Asked {
  readonly client: Connection
  /** An id that the conversation has not used yet. */
  readonly nextId: () => string
}

/** One request of our own, whose answer is waited for; interrupting withdraws it. */
const question = (
  { client, nextId, patience }: Reached,
  { params, request }: Put,
  timeoutMs: number = patience.questionMs
): Effect.Effect<JsonRpc.JsonObject, AskError> =>
  client
    .exchange(JsonRpc.request(nextId(), request.method, params), () => Effect.void)
    .pipe(
      Effect.mapError((error) => new AskError({ reason: { _tag: "Lost", error } })),
      Effect.timeoutOption(timeoutMs),
      Effect.flatMap((answered) => {
        if (Option.isNone(answered))
          return Effect.fail(new AskError({ reason: { _tag: "TimedOut", afterMs: timeoutMs } }))
        const response = answered.value
        return JsonRpc.isSuccess(response)
          ? Effect.succeed(response.result)
          : Effect.fail(new AskError({ reason: { _tag: "Refused", error: RpcError.fromObject(response.error) } }))
      })
    )

const done = (client: Connection, { notifications }: Revision, elicitationId: string): Effect.Effect<void> => {
  const method = "notifications/elicitation/complete"
  const codec = notifications.fromServer[method]
  return codec === undefined
    ? Effect.void
    : Effect.ignore(client.send(JsonRpc.notification(method, codec.encodeParams({ elicitationId }))))
}

const way = (reached: Reached): Way => ({
  put: (questions, timeoutMs) =>
    Effect.forEach(questions, (put) => question(reached, put, timeoutMs), { concurrency: "unbounded" }),
  done: (elicitationId) => done(reached.client, reached.revision, elicitationId),
  refusal: (error) => error
})

/** Made when first needed: most calls ask nothing. */
const askOf =
  (reached: Reached): Asks["ask"] =>
  (questions, options) =>
    make(way(reached), reached.revision, reached.capabilities)(questions, options)

const refuse = ({ id }: JsonRpc.Request, message: string): JsonRpc.Response =>
  JsonRpc.failure(id, { code: ErrorCode.InternalError, message })

/** Milliseconds to wait for a handler that only wants to be asked again: ever more, up to 5 s. */
const pause = (round: number): number => Math.min(500 * 2 ** (round - 1), 5_000)

/** Asks for a handler that has ended with questions itself, one after the other, and runs it again. */
const goOn = <R>(
  request: JsonRpc.Request,
  { requests, state }: InputRequired,
  reached: Reached,
  answer: Answer<R>,
  round = 1
): Effect.Effect<JsonRpc.Response, never, R> => {
  if (round > reached.patience.legacyInputRounds) return Effect.succeed(refuse(request, "Too many rounds of questions"))
  const { capabilities, revision } = reached
  const puts = prepare(Object.entries(requests), revision, capabilities)
  if (puts instanceof AskError) return Effect.succeed(refuse(request, puts.message))
  const answers = Effect.forEach(puts, (put) =>
    Effect.map(question(reached, put), (result) => [put.key, result] as const)
  )
  return Effect.matchEffect(puts.length === 0 ? Effect.as(Effect.sleep(pause(round)), []) : answers, {
    onFailure: (error) => Effect.succeed(refuse(request, error.message)),
    onSuccess: (results) => {
      const told = answer({ ask: askOf(reached), inputResponses: Object.fromEntries(results), requestState: state })
      return Effect.flatMap(told, (result) =>
        result instanceof InputRequired ? goOn(request, result, reached, answer, round + 1) : Effect.succeed(result)
      )
    }
  })
}

const none: Asks["inputResponses"] = {}

/** Questions are requests of our own, answered while the handler waits. */
export const duringLegacy = (reached: Reached): During => {
  const asks: Asks = { ask: askOf(reached), inputResponses: none, requestState: undefined }
  return (request, answer) =>
    Effect.flatMap(answer(asks), (result) =>
      result instanceof InputRequired
        ? Effect.map(
            Effect.timeoutOption(goOn(request, result, reached, answer), reached.patience.questionMs),
            Option.getOrElse(() => refuse(request, "The questions took too long"))
          )
        : Effect.succeed(result)
    )
}
