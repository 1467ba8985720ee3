import {
  type Codec,
  Extension,
  Invalid,
  JsonRpc,
  type Revision,
  RpcError,
  type ServerCapabilities,
  Violation,
  type Warn
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { logged, noClock } from "../answers/Questions.ts"
import { Unanswered } from "../answers/Unanswered.ts"
import { type CallError, NotOffered } from "../ClientError.ts"
import { goOn, isAskable, type Start, type Trip } from "../InputLoop.ts"
import type { Askable } from "../InputRequired.ts"
import type { ExtensionParams, Method, Methods } from "../Methods.ts"
import type { Deprecated } from "../notice.ts"
import { type Sender, toSend } from "../Send.ts"
import type { RequestOptions, Session } from "../Session.ts"
import { requireTimes } from "../times.ts"
import { isLate, noteLate } from "./heard.ts"
import type { Link } from "./Link.ts"
import type { Marks } from "./metaOf.ts"
import type { Spoken } from "./Remedy.ts"

/** What the two eras do differently once the server is known. */
export interface Manner extends Marks {
  readonly revision: Revision
  /** What asks whether the server still answers, and how its answer is read. */
  readonly ping: { readonly method: string; readonly read: (result: JsonRpc.JsonObject) => unknown }
  /** Tells of what is deprecated, where it is and somebody wants to hear of it. */
  readonly notice?: (features: ReadonlyArray<Deprecated>) => Effect.Effect<void>
  /** Hears each result that was read. */
  readonly note?: (result: JsonRpc.JsonObject) => void
  /** Why a result is none that this era knows, or undefined. */
  readonly refuse: (result: JsonRpc.JsonObject) => string | undefined
}

export interface Description extends Pick<Session, "server" | "instructions"> {
  readonly capabilities: ServerCapabilities
}

/** Reads a result once the era has accepted it. */
const accept = <A>(
  manner: Manner,
  method: string,
  result: JsonRpc.JsonObject,
  read: (result: JsonRpc.JsonObject, warn: Warn) => A | Invalid
): Effect.Effect<A, CallError> => {
  const refused = manner.refuse(result)
  let left: string | undefined
  const warn: Warn = (detail) => {
    left = left === undefined ? detail : `${left}; ${detail}`
  }
  const value = refused === undefined ? read(result, warn) : new Invalid(refused)
  if (value instanceof Invalid) {
    return Effect.fail(new Violation({ revision: manner.revision.version, method, detail: value.detail }))
  }
  manner.note?.(result)
  return left === undefined
    ? Effect.succeed(value)
    : Effect.as(Effect.logWarning(`Left out of the answer to ${method}: ${left}`), value)
}

/** Sends one request as the era says, and reads its result once the era has accepted it. */
export const exchange = <A>(
  fiber: Fiber.Fiber<unknown, unknown>,
  link: Link,
  manner: Manner,
  method: string,
  params: JsonRpc.JsonObject,
  options: RequestOptions,
  read: (result: JsonRpc.JsonObject, warn: Warn) => A | Invalid
): Effect.Effect<A, CallError> =>
  Effect.flatMap(link.call(fiber, method, params, manner, options), (response): Effect.Effect<A, CallError> =>
    JsonRpc.isSuccess(response) ? accept(manner, method, response.result, read) : Effect.fail(failure(response))
  )

/** What a server's error is to whoever asked; it stays known whether something had been heard before. */
const failure = ({ error }: JsonRpc.Failure): RpcError => {
  const failed = RpcError.fromObject(error)
  if (isLate(error)) noteLate(failed)
  return failed
}

/** Takes a result as it is. */
export const asItIs = (result: JsonRpc.JsonObject): JsonRpc.JsonObject => result

/** A session but for what each era does in a way of its own. */
export type Asking = Omit<Spoken, "watch" | "hub">

/** The capability that a server must have declared to be asked something. */
const capabilityOf: { readonly [M in Method]?: string } = {
  "tools/list": "tools",
  "tools/call": "tools",
  "resources/list": "resources",
  "resources/templates/list": "resources",
  "resources/read": "resources",
  "resources/subscribe": "resources",
  "resources/unsubscribe": "resources",
  "prompts/list": "prompts",
  "prompts/get": "prompts",
  "completion/complete": "completions",
  "logging/setLevel": "logging"
}

/** How each request is written and its result read; those of extensions are taken as they are. */
type Codecs = { readonly [M in Method]?: Codec<Methods[M]["params"], Methods[M]["result"]> }

/** The type of a result is the extension's own to name. */
const refuseOfExtension: Manner["refuse"] = ({ resultType = "complete" }) =>
  typeof resultType === "string" ? undefined : "a result type that is no text"

/** A session in one era's manner: features work on it without asking which. */
export const make = (link: Link, manner: Manner, description: Description): Asking => {
  const { revision } = manner
  const { era, version } = revision
  const methods: Codecs = revision.methods
  const { capabilities } = description
  link.speak(revision)

  /** What a server would have to offer to be asked this; undefined when it does. */
  const lacks = (method: Method): string | undefined => {
    const capability = capabilityOf[method]
    if (
      capability !== undefined &&
      capabilities[capability] === undefined &&
      !revision.undeclared?.includes(capability)
    )
      return capability
    return methods[method] === undefined ? method : undefined
  }
  const tripOf = <M extends Askable>(
    method: M,
    params: Methods[M]["params"],
    wire: JsonRpc.JsonObject,
    options: RequestOptions
  ): Trip<M> => {
    const { requestMs, totalMs } = link.bounds(options)
    return {
      revision,
      method,
      params,
      options,
      requestMs,
      totalMs,
      maxRounds: link.maxRounds,
      questions: link.questions,
      leg: (brought, options) =>
        Effect.flatMap(
          Effect.withFiber((fiber) => link.call(fiber, method, { ...wire, ...brought }, manner, options)),
          (response) =>
            JsonRpc.isSuccess(response) ? Effect.succeed(response) : Effect.fail<CallError>(failure(response))
        )
    }
  }
  /** A request that may be answered with questions. */
  const round = <M extends Askable>(
    fiber: Fiber.Fiber<unknown, unknown>,
    method: M,
    params: Methods[M]["params"],
    options: RequestOptions,
    { decodeResult, encodeParams }: Codec<Methods[M]["params"], Methods[M]["result"]>
  ): Effect.Effect<Methods[M]["result"], CallError> => {
    const wire = encodeParams(params)
    const { from, inputResponses, requestState } = options
    const goingOn = (start: Start) =>
      Effect.flatMap(goOn(tripOf(method, params, wire, options), start), (result) =>
        accept(manner, method, result, decodeResult)
      )
    if (from !== undefined) {
      const { inputRequests, inputResponses: known, requestState } = from
      const result = { inputRequests, ...(requestState === undefined ? undefined : { requestState }) }
      return goingOn({ id: "", result, known })
    }
    const brought =
      inputResponses === undefined && requestState === undefined
        ? wire
        : {
            ...wire,
            ...(inputResponses === undefined ? undefined : { inputResponses }),
            ...(requestState === undefined ? undefined : { requestState })
          }
    return Effect.flatMap(
      link.call(fiber, method, brought, manner, options),
      (response): Effect.Effect<Methods[M]["result"], CallError> => {
        if (!JsonRpc.isSuccess(response)) return Effect.fail(failure(response))
        return response.result.resultType === "input_required"
          ? goingOn(response)
          : accept(manner, method, response.result, decodeResult)
      }
    )
  }
  /** Where each request says it, it is not asked for by itself. */
  const keepLevel = (kept: NonNullable<Manner["kept"]>, { level }: Methods["logging/setLevel"]["params"]) =>
    Effect.map(manner.notice?.(["logging"]) ?? Effect.void, () => {
      kept.level = level
      return {}
    })
  const foreign: Manner = { ...manner, refuse: refuseOfExtension }
  const ofExtension = (
    fiber: Fiber.Fiber<unknown, unknown>,
    { extension, method, params }: ExtensionParams,
    options: RequestOptions
  ): Effect.Effect<JsonRpc.JsonObject, CallError> =>
    Extension.settingsOf(capabilities, extension) === undefined
      ? Effect.fail(new NotOffered({ capability: extension }))
      : exchange(fiber, link, foreign, method, params, options, asItIs)
  /** What is none of the methods that the server and the revision have. */
  const otherwise = <M extends Method>(
    fiber: Fiber.Fiber<unknown, unknown>,
    method: M,
    params: Methods[M]["params"],
    options: RequestOptions,
    capability: string
  ): Effect.Effect<Methods[M]["result"], CallError> => {
    if (method === "extension/call") return ofExtension(fiber, params as ExtensionParams, options) // cast: its own
    return capability === "logging/setLevel" && manner.kept !== undefined
      ? keepLevel(manner.kept, params as Methods["logging/setLevel"]["params"]) // cast: its own
      : Effect.fail(new NotOffered({ capability }))
  }
  const send: Sender = <M extends Method>(
    fiber: Fiber.Fiber<unknown, unknown>,
    method: M,
    params: Methods[M]["params"],
    options: RequestOptions
  ): Effect.Effect<Methods[M]["result"], CallError> => {
    const codec: Codec<Methods[M]["params"], Methods[M]["result"]> | undefined = methods[method]
    const lacking = lacks(method)
    if (codec === undefined || lacking !== undefined)
      return otherwise(fiber, method, params, options, lacking ?? method)
    return revision.inputRequired !== undefined && isAskable(method)
      ? round<Method & Askable>(fiber, method, params as never, options, codec as never) // cast: the method is one of them
      : exchange(fiber, link, manner, method, codec.encodeParams(params), options, codec.decodeResult)
  }

  return {
    ...description,
    era,
    revision: version,
    ping: (options = {}) => {
      requireTimes(options)
      return Effect.withFiber((fiber) =>
        Effect.asVoid(exchange(fiber, link, manner, manner.ping.method, {}, options, manner.ping.read))
      )
    },
    send,
    request: toSend(send),
    answer: (question) => {
      const answering = link.questions.prepare(revision, question, {}, noClock)
      return answering instanceof Unanswered
        ? Effect.succeed(undefined)
        : answering.pipe(Effect.catch((unanswered) => Effect.as(logged(question.method, unanswered), undefined)))
    }
  }
}
