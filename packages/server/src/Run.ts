import {
  type ClientCapabilities,
  type Implementation,
  JsonRpc,
  type Listener,
  Meta,
  type Method,
  type Methods,
  type RpcError
} from "@effective-mcp/protocol"
import { Invalid, type Codec, type Revision } from "@effective-mcp/protocol/revision/Revision"
import { invalidParams, methodNotFound } from "@effective-mcp/protocol/RpcError"
import * as Effect from "effect/Effect"
import { Call, type CallService } from "./Call.ts"
import type { Core, Operation } from "./Core.ts"

/** Who asks, as the era knows it. */
export interface Client {
  readonly info: Implementation | undefined
  readonly capabilities: ClientCapabilities
}

const makeCall = (request: JsonRpc.Request, client: Client, listener: Listener): CallService => {
  const meta = Meta.of(request.params)
  const { progressToken } = meta
  let last = -Infinity
  return {
    request,
    meta,
    client: client.info,
    clientCapabilities: client.capabilities,
    progress: (progress, total, message) =>
      Effect.suspend(() => {
        if (!JsonRpc.isRequestId(progressToken) || !(progress > last)) return Effect.void
        last = progress
        return listener(
          JsonRpc.notification("notifications/progress", {
            progressToken,
            progress,
            ...(total === undefined ? undefined : { total }),
            ...(message === undefined ? undefined : { message })
          })
        )
      })
  }
}

/** Answers one request in neutral terms, and says it as `revision` does. */
export const run = <R>(
  core: Core<R>,
  revision: Revision,
  request: JsonRpc.Request,
  client: Client,
  listener: Listener
): Effect.Effect<JsonRpc.JsonObject, RpcError, R> => {
  const { method } = request
  if (!Object.hasOwn(core.operations, method) || !Object.hasOwn(revision.methods, method)) {
    return Effect.fail(methodNotFound(method))
  }
  return runMethod(core, revision, method as Method, request, client, listener) // cast: it is an own key of both tables
}

const runMethod = <M extends Method, R>(
  core: Core<R>,
  revision: Revision,
  method: M,
  request: JsonRpc.Request,
  client: Client,
  listener: Listener
): Effect.Effect<JsonRpc.JsonObject, RpcError, R> => {
  const operation: Operation<M, R> | undefined = core.operations[method]
  const codec: Codec<Methods[M]["params"], Methods[M]["result"]> | undefined = revision.methods[method]
  if (operation === undefined || codec === undefined) return Effect.fail(methodNotFound(method))
  const params = codec.decodeParams(request.params ?? {})
  if (params instanceof Invalid) return Effect.fail(invalidParams(`Invalid params: ${params.detail}`))
  return Effect.provideService(
    Effect.matchEffect(operation(params), {
      onSuccess: (result) => Effect.succeed(codec.encodeResult(result)),
      onFailure: (error): Effect.Effect<JsonRpc.JsonObject, RpcError> => {
        if (error._tag === "RpcError") return Effect.fail(error)
        const wrong = codec.wrongArguments?.(error.message)
        return wrong === undefined ? Effect.fail(invalidParams(error.message)) : Effect.succeed(wrong)
      }
    }),
    Call,
    makeCall(request, client, listener)
  )
}
