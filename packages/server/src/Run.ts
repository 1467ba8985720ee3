import {
  type ClientCapabilities,
  ErrorCode,
  type Implementation,
  JsonRpc,
  type Listener,
  Meta,
  type Method,
  RpcError
} from "@effective-mcp/protocol"
import { Invalid, type Codec, type Revision } from "@effective-mcp/protocol/revision/Revision"
import { invalidParams, methodNotFound } from "@effective-mcp/protocol/RpcError"
import * as Effect from "effect/Effect"
import { Call, type CallService } from "./Call.ts"
import type { Core, Operation } from "./Core.ts"
import type { InvalidArguments } from "./Tool.ts"

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

const isError = (message: string) => ({ content: [{ type: "text" as const, text: message }], isError: true })

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
  // cast: the tables hold, under each method, its own operation and codec
  const operation = core.operations[method] as unknown as Operation<"tools/call", R>
  const codec = revision.methods[method] as unknown as Codec<
    Parameters<typeof operation>[0],
    ReturnType<typeof isError>
  >
  const params = codec.decodeParams(request.params ?? {})
  if (params instanceof Invalid) return Effect.fail(invalidParams(`Invalid params: ${params.detail}`))
  return operation(params).pipe(
    Effect.map((result) => codec.encodeResult(result as ReturnType<typeof isError>)),
    Effect.catchTag("InvalidArguments", ({ message }: InvalidArguments) =>
      revision.wrongArguments === "isError"
        ? Effect.succeed(codec.encodeResult(isError(message)))
        : Effect.fail(new RpcError({ code: ErrorCode.InvalidParams, message }))
    ),
    Effect.provideService(Call, makeCall(request, client, listener))
  ) as Effect.Effect<JsonRpc.JsonObject, RpcError, R>
}
