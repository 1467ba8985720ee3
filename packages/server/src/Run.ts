import {
  type ClientCapabilities,
  type Codec,
  type Implementation,
  Invalid,
  JsonRpc,
  type Listener,
  Meta,
  type Method,
  type Methods,
  type Revision,
  RpcError
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { During } from "./ask/during.ts"
import { type Asks, Call, type CallService } from "./Call.ts"
import type { Core, Operation } from "./Core.ts"
import { InputRequired } from "./InputRequired.ts"

/** Who asks, as the era knows it. */
export interface Client {
  readonly info: Implementation | undefined
  readonly capabilities: ClientCapabilities
}

const makeCall = (
  request: JsonRpc.Request,
  client: Client,
  listener: Listener,
  { notifications }: Revision,
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
        const method = "notifications/progress"
        const said = {
          progressToken,
          progress,
          ...(total !== undefined && Number.isFinite(total) ? { total } : undefined),
          ...(message === undefined ? undefined : { message })
        }
        return listener(JsonRpc.notification(method, notifications.fromServer[method]?.encodeParams(said) ?? said))
      })
  }
}

/** How an era has a request answered: in which revision, for whom, how it asks, and what each result says besides. */
export interface Manner {
  readonly revision: Revision
  readonly client: Client
  readonly during: During
  readonly complete: (result: JsonRpc.JsonObject) => JsonRpc.JsonObject
}

/** Answers one request in neutral terms, and says it as its revision does. */
export const run = <R>(
  core: Core<R>,
  manner: Manner,
  request: JsonRpc.Request,
  listener: Listener
): Effect.Effect<JsonRpc.Response, never, R> => {
  const { method } = request
  return Object.hasOwn(core.operations, method) && Object.hasOwn(manner.revision.methods, method)
    ? runMethod(core, manner, method as Method, request, listener) // cast: it is an own key of both tables
    : Effect.succeed(refuse(request, RpcError.methodNotFound(method)))
}

export const refuse = ({ id }: JsonRpc.Request, error: RpcError): JsonRpc.Response =>
  JsonRpc.failure(id, error.toObject())

const runMethod = <M extends Method, R>(
  core: Core<R>,
  { client, complete, during, revision }: Manner,
  method: M,
  request: JsonRpc.Request,
  listener: Listener
): Effect.Effect<JsonRpc.Response, never, R> => {
  const operation: Operation<M, R> | undefined = core.operations[method]
  const codec: Codec<Methods[M]["params"], Methods[M]["result"]> | undefined = revision.methods[method]
  if (operation === undefined || codec === undefined)
    return Effect.succeed(refuse(request, RpcError.methodNotFound(method)))
  const params = codec.decodeParams(request.params ?? {})
  if (params instanceof Invalid) {
    return Effect.succeed(refuse(request, RpcError.invalidParams(`Invalid params: ${params.detail}`)))
  }
  const succeed = (result: JsonRpc.JsonObject): JsonRpc.Response => JsonRpc.success(request.id, complete(result))
  return during<R>(request, (asks) =>
    Effect.provideService(
      Effect.match(operation(params), {
        onSuccess: (result) => (result instanceof InputRequired ? result : succeed(codec.encodeResult(result))),
        onFailure: (error): JsonRpc.Response => {
          if (error._tag === "RpcError") return refuse(request, error)
          const wrong = codec.wrongArguments?.(error.message)
          return wrong === undefined ? refuse(request, RpcError.invalidParams(error.message)) : succeed(wrong)
        }
      }),
      Call,
      makeCall(request, client, listener, revision, asks)
    )
  )
}
