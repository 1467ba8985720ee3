import {
  ErrorCode,
  type InputRequest,
  type InputResponses,
  Invalid,
  JsonRpc,
  limits,
  Principal,
  RpcError
} from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { AskError } from "../AskError.ts"
import type { Asks } from "../Call.ts"
import { InputRequired } from "../InputRequired.ts"
import { RequestState } from "../RequestState.ts"
import { canonical } from "./canonical.ts"
import { isAskable } from "./declared.ts"
import type { Answer, Asked, During } from "./during.ts"
import { endable, type Ending } from "./endable.ts"
import { make } from "./make.ts"
import { prepare, type Way } from "./questions.ts"
import { make as makeRounds, type Rounds, type Told } from "./Rounds.ts"

/** The requests that may be answered with questions. */
const methods: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"])

/** How a server of a newer revision asks: with results that it stamps, under a name that its states are bound to. */
export interface Asking extends Asked {
  readonly server: string
  readonly stamp: JsonRpc.JsonObject
}

const refuse = ({ id }: JsonRpc.Request, error: RpcError): JsonRpc.Response => JsonRpc.failure(id, error.toObject())

const internal = new RpcError({ code: ErrorCode.InternalError, message: "Internal error" })
const tooMany = new RpcError({ code: ErrorCode.InternalError, message: "Too many rounds of questions" })
const badState = RpcError.invalidParams("Invalid params: requestState is not valid here, or no longer")

const refusal = (error: AskError): AskError => {
  const { message, reason } = error
  switch (reason._tag) {
    case "NotDeclared": {
      const code = ErrorCode.MissingRequiredClientCapability
      const data = { requiredCapabilities: reason.required }
      return new AskError({ reason, refusal: new RpcError({ code, message, data }) })
    }
    case "InvalidAnswer":
      return new AskError({ reason, refusal: RpcError.invalidParams(`Invalid params: ${message}`) })
    default:
      return error
  }
}

const nowhere: Way["put"] = () =>
  Effect.fail(new AskError({ reason: { _tag: "Unaskable", detail: "this kind of request cannot ask" } }))

/** What a state is bound to: the server's name, the caller, and all that the request asks for. */
const boundTo = (server: string, { method, params = {} }: JsonRpc.Request, context: Context.Context<never>): string => {
  const { _meta, inputResponses: _responses, requestState: _state, ...asked } = params
  const principal = Context.getOrUndefined(context, Principal)
  const { clientId, issuer, subject } = principal ?? {}
  return canonical([server, [issuer, subject, clientId], method, asked])
}

/** What a state says; undefined when it is none of this request's. */
const opened = Effect.fnUntraced(function* (
  asking: Asking,
  request: JsonRpc.Request,
  sealed: string
): Effect.fn.Return<Told | undefined> {
  if (sealed.length > limits.requestStateLength) return undefined
  const context = yield* Effect.context<never>()
  const text = yield* (yield* RequestState).open(sealed, boundTo(asking.server, request, context))
  return text === undefined ? undefined : (JSON.parse(text) as Told) // cast: nobody else can have sealed it
})

const asResult = (
  { revision, stamp }: Asking,
  inputRequests: { readonly [key: string]: InputRequest },
  requestState: string
): JsonRpc.JsonObject | Invalid => {
  const isEmpty = Object.keys(inputRequests).length === 0
  const result = revision.inputRequired?.encodeResult({ requestState, ...(isEmpty ? undefined : { inputRequests }) })
  if (result === undefined || result instanceof Invalid)
    return result ?? new Invalid("this revision has no results that ask for input")
  return { ...result, _meta: stamp }
}

/** The response that asks for input; what a handler has put together itself is checked as well. */
const respond = Effect.fnUntraced(function* (
  asking: Asking,
  request: JsonRpc.Request,
  { requests }: InputRequired,
  next: (requests: { readonly [key: string]: InputRequest }) => Told
): Effect.fn.Return<JsonRpc.Response> {
  const puts = prepare(Object.entries(requests), asking.revision, asking.capabilities)
  if (puts instanceof AskError) return refuse(request, refusal(puts).refusal ?? internal)
  const inputRequests = Object.fromEntries(puts.map(({ key, request }) => [key, request]))
  const told = next(inputRequests)
  if (told.rounds > asking.patience.inputRounds) return refuse(request, tooMany)
  const context = yield* Effect.context<never>()
  const state = yield* (yield* RequestState).seal(JSON.stringify(told), boundTo(asking.server, request, context))
  if (state.length > limits.requestStateLength) {
    yield* Effect.logError(`What ${request.method} was answered is too long to be kept between its rounds`)
    return refuse(request, internal)
  }
  const result = asResult(asking, inputRequests, state)
  if (!(result instanceof Invalid)) return JsonRpc.success(request.id, result)
  yield* Effect.logError(`${request.method} cannot ask: ${result.detail}`)
  return refuse(request, internal)
})

const none: Asks["inputResponses"] = {}
const undone = (): Effect.Effect<void> => Effect.void

const run = <R>(
  asking: Asking,
  request: JsonRpc.Request,
  answer: Answer<R>,
  responses: InputResponses,
  told: Told | undefined
): Effect.Effect<JsonRpc.Response, never, R> => {
  const { capabilities, revision } = asking
  const ending: Ending = { isOver: false, onEnd: undefined }
  // made when first needed: most calls ask nothing
  let made: Rounds | undefined
  const rounds = () => (made ??= makeRounds(told, responses, ending, asking.patience.inputRounds))
  const handler = answer({
    ask: (questions, options) =>
      make({ put: rounds().put, done: undone, refusal }, revision, capabilities)(questions, options),
    inputResponses: responses.inputResponses === undefined ? none : rounds().brought,
    requestState: told?.own
  })
  // one that cannot ask needs no fiber of its own
  const running = isAskable(capabilities)
    ? endable(handler, ending, () => Effect.sync(() => new InputRequired(Object.fromEntries(rounds().open), told?.own)))
    : handler
  return Effect.flatMap(running, (result) =>
    result instanceof InputRequired
      ? respond(asking, request, result, (requests) => rounds().next(requests, result.state))
      : Effect.succeed(result)
  )
}

/**
 * Questions are results, answered by the request that is made again. What has been answered before travels sealed.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export const duringModern =
  (asking: Asking): During =>
  (request, answer) => {
    const { capabilities, revision } = asking
    if (!methods.has(request.method)) {
      const ask = make({ put: nowhere, done: undone, refusal }, revision, capabilities)
      return Effect.flatMap(answer({ ask, inputResponses: {}, requestState: undefined }), (result) =>
        result instanceof InputRequired
          ? Effect.as(Effect.logError(`${request.method} cannot ask`), refuse(request, internal))
          : Effect.succeed(result)
      )
    }
    const { params = {} } = request
    if (!("inputResponses" in params || "requestState" in params)) return run(asking, request, answer, {}, undefined)
    const responses = revision.inputRequired?.decodeParams(params) ?? {}
    if (responses instanceof Invalid)
      return Effect.succeed(refuse(request, RpcError.invalidParams(`Invalid params: ${responses.detail}`)))
    const { requestState } = responses
    if (requestState === undefined) return run(asking, request, answer, responses, undefined)
    return Effect.flatMap(opened(asking, request, requestState), (told) =>
      told === undefined ? Effect.succeed(refuse(request, badState)) : run(asking, request, answer, responses, told)
    )
  }
