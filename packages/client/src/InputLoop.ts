import { JsonRpc, limits, type Methods, type Revision, TransportError, Violation } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { noClock, type Questions } from "./answers/Questions.ts"
import { Unanswered } from "./answers/Unanswered.ts"
import type { CallError } from "./ClientError.ts"
import { timedOut } from "./Deadlines.ts"
import { type Askable, InputRequired, type InputReason, type InputResponses, type Round } from "./InputRequired.ts"
import type { RequestOptions, Session } from "./Session.ts"
import { spentOf, ticksOf, type Timed } from "./Spent.ts"

/** A call that waits to be made again because its server wants no answers, only time. */
export interface Wait {
  readonly method: Askable
  /** Counted from 1. */
  readonly round: number
  readonly delayMs: number
  /** How long it is since the server first asked, without the time that its questions took. */
  readonly elapsedMs: number
  readonly requestState: string
  /** The result that asked for it, as it came. */
  readonly result: JsonRpc.JsonObject
}

const askable: ReadonlySet<string> = new Set<Askable>(["tools/call", "resources/read", "prompts/get"])

/** Whether a request may be answered with questions. */
export const isAskable = (method: string): method is Askable => askable.has(method)

/** Whether a request brings input, so that its result is for this one call alone. */
export const bringsInput = ({ from, inputResponses, requestState }: RequestOptions): boolean =>
  from !== undefined || inputResponses !== undefined || requestState !== undefined

/** What goes with a request that is made again. */
export interface Brought {
  readonly inputResponses?: InputResponses | undefined
  readonly requestState?: string | undefined
}

/** One request of a call: its result, and the id it had; fails as any request does. */
export type Leg = (
  brought: Brought,
  options: RequestOptions
) => Effect.Effect<{ readonly id: JsonRpc.RequestId; readonly result: JsonRpc.JsonObject }, CallError>

export interface Trip<M extends Askable> {
  readonly revision: Revision
  readonly method: M
  readonly params: Methods[M]["params"]
  readonly options: RequestOptions
  readonly questions: Questions
  readonly leg: Leg
  /** How long one request may take, and all of them, in ms. */
  readonly requestMs: number
  readonly totalMs: number
  /** How often it is made again. */
  readonly maxRounds: number
}

/** What a result asks for, checked as far as it says what to do next; a text says what is wrong with it. */
const read = ({
  inputRequests = {},
  requestState
}: JsonRpc.JsonObject): Pick<Round, "inputRequests" | "requestState"> | string => {
  if (!JsonRpc.isObject(inputRequests)) return ".inputRequests is not as the schema says"
  const requests = Object.values(inputRequests)
  if (!requests.every((request) => JsonRpc.isObject(request) && typeof request.method === "string"))
    return ".inputRequests holds what is no request"
  if (requestState !== undefined && typeof requestState !== "string") return ".requestState is not as the schema says"
  if (requests.length === 0 && requestState === undefined) return "it asks for input, and says neither which nor why"
  return { inputRequests: inputRequests as Round["inputRequests"], requestState } // cast: each was looked at
}

/** Milliseconds to wait before a call is made again for no answers: ever more. */
const delayOf = (waits: number): number => Math.min(limits.roundMs * 2 ** waits, limits.roundMostMs)

const remember = new WeakMap<object, Round>()

/**
 * Where a call stood when it failed, so that nobody need be asked twice: of `InputRequired`, and of any error that a
 * request which was made again ended with. Undefined when the call had not got to a second request.
 */
export const roundOf = (error: object): Round | undefined =>
  error instanceof InputRequired ? error.round : remember.get(error)

/** The options with which a request that has failed is made again: it goes on from where it stood, and asks nobody twice. */
export const goingOn = <A extends RequestOptions>(options: A, error: CallError): A => {
  const from = roundOf(error)
  return from === undefined ? options : { ...options, from }
}

/** The same error, as this call's own: one failure of a wire may be that of many calls. */
const withRound = (error: CallError, round: Round): CallError => {
  if (error._tag === "InputRequired") return error
  const own =
    error._tag === "TransportError" ? new TransportError({ reason: error.reason, outcome: error.outcome }) : error
  remember.set(own, round)
  return own
}

type Asks = Pick<Round, "inputRequests" | "requestState">

/** Answers all that has no answer yet. Nobody is asked anything unless all of it can be asked; `known` gathers the answers. */
const answerAll = <M extends Askable>(
  { method, questions, revision }: Trip<M>,
  { inputRequests }: Asks,
  id: JsonRpc.RequestId,
  known: Map<string, JsonRpc.JsonObject>
): Effect.Effect<void, InputReason> => {
  const fault = (key: string, { cause, detail, why }: Unanswered): InputReason => ({
    _tag: "Unanswered",
    key,
    method: inputRequests[key]!.method as string, // cast: it was looked at
    why,
    detail,
    ...(cause === undefined ? undefined : { cause })
  })
  const answerings: Array<Effect.Effect<void, InputReason>> = []
  for (const [key, request] of Object.entries(inputRequests)) {
    if (known.has(key)) continue
    const put = { method: request.method as string, params: request.params } // cast: it was looked at
    const answering = questions.prepare(revision, put, { call: { method, id }, key }, noClock)
    if (answering instanceof Unanswered) return Effect.fail(fault(key, answering))
    answerings.push(
      Effect.matchEffect(answering, {
        onSuccess: (result) => Effect.sync(() => void known.set(key, result)),
        onFailure: (unanswered) => Effect.fail(fault(key, unanswered))
      })
    )
  }
  return Effect.forEach(answerings, (answering) => answering, { concurrency: "unbounded", discard: true })
}

/** Waits, as long as the host has nothing against it. */
const waitFor = (wait: Wait, { onWait }: RequestOptions): Effect.Effect<void, InputReason> => {
  const asleep = Effect.sleep(wait.delayMs)
  if (onWait === undefined) return asleep
  const steered = Effect.flatMap(onWait(wait), (said): Effect.Effect<void, InputReason> => {
    if (said === "cancel") return Effect.fail({ _tag: "GivenUp" })
    return said === "retry" ? Effect.void : Effect.never
  })
  return Effect.raceFirst(steered, asleep)
}

/** Where a call is gone on with: what asked, the id it was asked under, and what is known of the answers. */
export interface Start {
  readonly id: JsonRpc.RequestId
  readonly result: JsonRpc.JsonObject
  readonly known?: InputResponses
}

/**
 * Goes on with a call whose server has asked for input, up to its final result: each time another request, with the same
 * params, the answers and the state that came. No more often than `maxRounds`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export const goOn = <M extends Askable>(trip: Trip<M>, start: Start): Effect.Effect<JsonRpc.JsonObject, CallError> =>
  Effect.gen(function* () {
    const { maxRounds, method, options, params, requestMs, revision } = trip
    const clock = yield* Clock.Clock
    const now = (): number => ticksOf(clock)
    const overall = spentOf(options)
    const totalMs = trip.totalMs - (overall?.used(now()) ?? 0)
    let { id, result } = start
    const known = new Map(Object.entries(start.known ?? {}))
    let isFresh = start.known === undefined
    let round = 0
    let spent = 0
    let waits = 0
    let waited = 0
    for (;;) {
      const asks = read(result)
      if (typeof asks === "string") return yield* new Violation({ revision: revision.version, method, detail: asks })
      const standing = (): Round<M> => ({ method, params, ...asks, inputResponses: Object.fromEntries(known), round })
      const stop = (reason: InputReason) => new InputRequired({ reason, round: standing(), result })
      if (isFresh && options.input === "manual") return yield* stop({ _tag: "Manual" })
      if (round >= maxRounds) return yield* stop({ _tag: "TooManyRounds", limit: maxRounds })
      const isAsked = Object.keys(asks.inputRequests).length > 0
      if (isAsked) {
        waits = waited = 0
        const begun = now()
        yield* Effect.mapError(answerAll(trip, asks, id, known), stop)
        if (overall !== undefined) overall.stood += now() - begun
      } else if (isFresh && asks.requestState !== undefined) {
        const left = Math.min(requestMs - waited, totalMs - spent)
        if (left <= 0) return yield* stop({ _tag: "WaitedTooLong", afterMs: waited })
        const delayMs = Math.min(delayOf(waits++), left)
        const { requestState } = asks
        const wait = { method, round: round + 1, delayMs, elapsedMs: spent, requestState, result }
        const begun = now()
        yield* Effect.mapError(waitFor(wait, options), stop)
        waited += now() - begun
        spent += now() - begun
      }
      round++
      options.onRound?.(standing())
      const begun = now()
      const brought = {
        ...(isAsked ? { inputResponses: Object.fromEntries(known) } : undefined),
        ...(asks.requestState === undefined ? undefined : { requestState: asks.requestState })
      }
      const rest = totalMs - spent
      const within: Timed = rest === Infinity ? options : { ...options, totalTimeout: rest, spent: undefined }
      const leg = rest > 0 ? trip.leg(brought, within) : Effect.fail(timedOut(method, trip.totalMs))
      const next = yield* Effect.mapError(leg, (error) => withRound(error, standing()))
      spent += now() - begun
      if (next.result.resultType !== "input_required") return next.result
      ;({ id, result } = next)
      known.clear()
      isFresh = true
    }
  })

/**
 * Goes on with a call from where it failed: what was answered is not asked again, and `inputResponses` gives answers that are
 * still missing. An error without a round (see `roundOf`) is given back.
 */
export const resume = <E extends object>(
  session: Session,
  error: E,
  options: RequestOptions = {}
): Effect.Effect<Methods[Askable]["result"], E | CallError> => {
  const from = roundOf(error)
  if (from === undefined) return Effect.fail(error)
  const { inputResponses, ...rest } = options
  return session.request(from.method, from.params, {
    ...rest,
    from: { ...from, inputResponses: { ...from.inputResponses, ...inputResponses } }
  })
}
