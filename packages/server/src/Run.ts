import {
  type ClientCapabilities,
  clip,
  type Codec,
  ErrorCode,
  type Implementation,
  Invalid,
  JsonRpc,
  limits,
  type Listener,
  type LoggingLevel,
  loggingLevels,
  Meta,
  type Method,
  type Methods,
  type NotificationCodec,
  type NotificationMethod,
  type Notifications,
  type Revision,
  RpcError,
  Telemetry
} from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { During } from "./ask/during.ts"
import { AskError } from "./AskError.ts"
import { type Asks, Call, type CallService } from "./Call.ts"
import type { Core, Failure, Operation, Operations, Say } from "./Core.ts"
import { withEffectLogs } from "./effectLogs.ts"
import type { ExtensionMethod } from "./Extension.ts"
import { InputRequired } from "./InputRequired.ts"
import { around, type Operation as Around } from "./Middleware.ts"
import { refusalOf } from "./outcome.ts"
import { traced } from "./telemetry.ts"

/** Who asks, as the era knows it. */
export interface Client {
  readonly info: Implementation | undefined
  readonly capabilities: ClientCapabilities
}

/** How an era has a request answered: in which revision, for whom, and what each of its results says besides. */
export interface Manner<R> {
  readonly revision: Revision
  readonly client: Client
  /** How the client is asked. */
  readonly during: During
  /** A result of an extension may have a type of its own. */
  readonly complete: (result: JsonRpc.JsonObject, resultType?: unknown) => JsonRpc.JsonObject
  /** The least that the client wants to hear of logs, by now; undefined for nothing. */
  readonly logLevel: () => LoggingLevel | undefined
  /** What the era itself answers. */
  readonly own: Operations<R>
}

/** Says what a revision can say. */
export const makeSay =
  ({ notifications: { fromServer } }: Revision, listener: Listener): Say =>
  <N extends NotificationMethod>(method: N, params: Notifications[N]) => {
    const codec: NotificationCodec<Notifications[N]> | undefined = fromServer[method]
    return codec === undefined ? Effect.void : listener(JsonRpc.notification(method, codec.encodeParams(params)))
  }

const makeCall = (
  request: JsonRpc.Request,
  { client, logLevel }: Manner<unknown>,
  say: Say,
  hasLogging: boolean,
  asks: Asks
): CallService => {
  const meta = Meta.of(request.params)
  const { progressToken } = meta
  let last = -Infinity
  return {
    ask: asks.ask,
    inputResponses: asks.inputResponses,
    requestState: asks.requestState,
    request,
    meta,
    client: client.info,
    clientCapabilities: client.capabilities,
    progress: (progress, total, message) =>
      Effect.suspend(() => {
        if (!JsonRpc.isRequestId(progressToken) || !Number.isFinite(progress) || progress <= last) return Effect.void
        last = progress
        return say("notifications/progress", {
          progressToken,
          progress,
          ...(total !== undefined && Number.isFinite(total) ? { total } : undefined),
          ...(message === undefined ? undefined : { message })
        })
      }),
    log: (level, data, logger) =>
      Effect.suspend(() => {
        const least = hasLogging ? logLevel() : undefined
        if (least === undefined || loggingLevels.indexOf(level) < loggingLevels.indexOf(least)) return Effect.void
        return say("notifications/message", {
          level,
          data: data === undefined ? null : data,
          ...(logger === undefined ? undefined : { logger })
        })
      })
  }
}

/** Answers one request in neutral terms, and says it as its revision does. */
export const run = <R>(
  core: Core<R>,
  manner: Manner<R>,
  request: JsonRpc.Request,
  listener: Listener
): Effect.Effect<JsonRpc.Response, never, R> =>
  Effect.withFiber((fiber) => {
    const running = find(core, manner, request, listener)
    const answer = running ?? Effect.succeed(refuse(request, RpcError.methodNotFound(request.method)))
    return Telemetry.isTraced(fiber) ? traced(manner.revision.version, request, running !== undefined, answer) : answer
  })

const find = <R>(
  core: Core<R>,
  manner: Manner<R>,
  request: JsonRpc.Request,
  listener: Listener
): Effect.Effect<JsonRpc.Response, never, R> | undefined => {
  const { method } = request
  if (Object.hasOwn(manner.revision.methods, method))
    return runMethod(core, manner, method as Method, request, listener) // cast: it is an own key of the table
  const extension = core.methods.get(method)
  return extension && runExtension(core, manner, extension, request, listener)
}

export const refuse = ({ id }: JsonRpc.Request, error: RpcError): JsonRpc.Response =>
  JsonRpc.failure(id, error.toObject())

/** What answers a failure; where an error says what was not found, it is what was asked for. */
const refuseFor = (
  request: JsonRpc.Request,
  { revision }: Pick<Manner<never>, "revision">,
  failure: Failure
): JsonRpc.Response => {
  if (failure._tag === "RpcError") return refuse(request, failure)
  if (failure._tag === "InvalidArguments") return refuse(request, RpcError.invalidParams(failure.message))
  const { message, uri } = failure
  const code = revision.methods["resources/read"]?.notFound ?? ErrorCode.InvalidParams
  return refuse(
    request,
    new RpcError({ code, message, data: { uri: uri.length > limits.uriLength ? clip(uri) : uri } })
  )
}

/** The operation with all that goes around it: middleware, logs, the call. */
const within = <A, R>(
  { logging, middleware }: Core<R>,
  call: CallService,
  operation: Around,
  running: Effect.Effect<A, Failure, R | Call>
): Effect.Effect<A, Failure, R> => {
  const whole =
    middleware.length === 0
      ? running
      : Effect.mapError(around(middleware, operation, running), (failure) =>
          failure instanceof AskError ? refusalOf(failure) : failure
        )
  return Effect.updateContext(
    logging?.effect === true ? withEffectLogs(call, whole) : whole,
    (context: Context.Context<R>) => Context.add(context, Call, call)
  )
}

const runMethod = <M extends Method, R>(
  core: Core<R>,
  manner: Manner<R>,
  method: M,
  request: JsonRpc.Request,
  listener: Listener
): Effect.Effect<JsonRpc.Response, never, R> | undefined => {
  const { complete, during, own, revision } = manner
  const operation: Operation<M, R> | undefined = own[method] ?? core.operations[method]
  const codec: Codec<Methods[M]["params"], Methods[M]["result"]> | undefined = revision.methods[method]
  if (operation === undefined || codec === undefined) return undefined
  const params = codec.decodeParams(request.params ?? {})
  if (params instanceof Invalid) {
    return Effect.succeed(refuse(request, RpcError.invalidParams(`Invalid params: ${params.detail}`)))
  }
  const succeed = (result: JsonRpc.JsonObject): JsonRpc.Response => JsonRpc.success(request.id, complete(result))
  const say = makeSay(revision, listener)
  return during<R>(request, (asks) => {
    const call = makeCall(request, manner, say, core.logging !== undefined, asks)
    const asked = { method, params, call } as Around // cast: the params are the method's own
    return Effect.match(within(core, call, asked, operation(params, { request, say })), {
      onSuccess: (result) => (result instanceof InputRequired ? result : succeed(codec.encodeResult(result))),
      onFailure: (error): JsonRpc.Response => {
        const wrong = error._tag === "InvalidArguments" ? codec.wrongArguments?.(error.message) : undefined
        return wrong === undefined ? refuseFor(request, manner, error) : succeed(wrong)
      }
    })
  })
}

const runExtension = <R>(
  core: Core<R>,
  manner: Manner<R>,
  { extension, run }: ExtensionMethod<R>,
  request: JsonRpc.Request,
  listener: Listener
): Effect.Effect<JsonRpc.Response, never, R> => {
  const { complete, during, revision } = manner
  const { method, params = {} } = request
  return during<R>(request, (asks) => {
    const call = makeCall(request, manner, makeSay(revision, listener), core.logging !== undefined, asks)
    return Effect.match(within(core, call, { extension, method, params, call }, run(params)), {
      onSuccess: (result): JsonRpc.Response => JsonRpc.success(request.id, complete(result, result.resultType)),
      onFailure: (error): JsonRpc.Response => refuseFor(request, manner, error)
    })
  })
}
