import {
  clip,
  Closing,
  ErrorCode,
  type Handler,
  Invalid,
  isImplementation,
  JsonRpc,
  legacyRevisions,
  type Listener,
  type LoggingLevel,
  loggingLevels,
  Meta,
  modernRevisions,
  type Revision,
  RpcError,
  Telemetry,
  versionsOf
} from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { duringModern } from "../ask/modern.ts"
import type { Core, Operations } from "../Core.ts"
import { type Client, makeSay, refuse, run } from "../Run.ts"
import { make as makeListens } from "./listen.ts"

const LISTEN = "subscriptions/listen"

/** The versions that a server speaks, newest first. */
export const supported = (eras: Core<never>["eras"]): ReadonlyArray<string> => [
  ...(eras.includes("modern") ? versionsOf(modernRevisions) : []),
  ...(eras.includes("legacy") ? versionsOf(legacyRevisions) : [])
]

/** What a modern request says of itself. */
interface Read {
  readonly revision: Revision
  readonly client: Client
  readonly level: LoggingLevel | undefined
}

/** What every modern request says of itself. @see https://modelcontextprotocol.io/specification/2026-07-28/basic#meta */
const readMeta = (core: Core<unknown>, meta: JsonRpc.JsonObject): Read | RpcError => {
  const requested = meta[Meta.PROTOCOL_VERSION]
  const capabilities = meta[Meta.CLIENT_CAPABILITIES]
  const info = meta[Meta.CLIENT_INFO]
  if (typeof requested !== "string")
    return RpcError.invalidParams(`Invalid params: _meta has no ${Meta.PROTOCOL_VERSION}`)
  const revision = modernRevisions.find(({ version }) => version === requested)
  if (revision === undefined) {
    return new RpcError({
      code: ErrorCode.UnsupportedProtocolVersion,
      message: "Unsupported protocol version",
      data: { supported: supported(core.eras), requested: clip(requested) }
    })
  }
  if (!JsonRpc.isObject(capabilities))
    return RpcError.invalidParams(`Invalid params: _meta has no ${Meta.CLIENT_CAPABILITIES}`)
  if (info !== undefined && !isImplementation(info)) {
    return RpcError.invalidParams(`Invalid params: ${Meta.CLIENT_INFO} is not an implementation`)
  }
  const asked = meta[Meta.LOG_LEVEL]
  const level = asked === undefined ? undefined : loggingLevels.find((known) => known === asked)
  if (asked !== undefined && level === undefined)
    return RpcError.invalidParams(`Invalid params: ${Meta.LOG_LEVEL} is no level`)
  return { revision, client: { info, capabilities }, level }
}

/**
 * 2026-07-28 and later: every request stands alone.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#statelessness
 */
export const modern = <R>(core: Core<R>): Handler<R> => {
  const stamp = { [Meta.SERVER_INFO]: core.info }
  const complete = (result: JsonRpc.JsonObject, resultType?: unknown): JsonRpc.JsonObject => ({
    ...result,
    resultType: typeof resultType === "string" ? resultType : "complete",
    _meta: result._meta === undefined ? stamp : { ...Meta.of(result), ...stamp }
  })
  const discover = ({ openings }: Revision): JsonRpc.JsonObject => {
    const discovered = {
      supportedVersions: supported(core.eras),
      capabilities: core.capabilities,
      ...(core.instructions === undefined ? undefined : { instructions: core.instructions }),
      ...core.hintsOf("server/discover")
    }
    return complete(openings["server/discover"]?.encodeResult(discovered) ?? discovered)
  }
  const listens = core.hub === undefined ? undefined : makeListens(core, core.hub)
  const own: Operations<R> = listens === undefined ? {} : { [LISTEN]: listens.operation }

  /** Subscribes to lists alone, at little cost: there may be many who do. Undefined where it is an operation like others. */
  const subscribe = (
    request: JsonRpc.Request,
    listener: Listener,
    revision: Revision,
    fiber: Fiber.Fiber<unknown, unknown>
  ): Effect.Effect<JsonRpc.Response> | undefined => {
    const codec = revision.methods[LISTEN]
    const closing = Context.get(fiber.context, Closing)
    if (listens?.lists === undefined || codec === undefined || closing.keep === undefined || Telemetry.isTraced(fiber))
      return undefined
    const params = codec.decodeParams(request.params ?? {})
    if (params instanceof Invalid || params.notifications.resourceSubscriptions !== undefined) return undefined
    const begun = listens.lists(params.notifications, request.id, makeSay(revision, listener), closing)
    if (begun instanceof RpcError) return Effect.succeed(refuse(request, begun))
    return Effect.as(begun.acknowledged, JsonRpc.success(request.id, complete(codec.encodeResult(begun.tag))))
  }

  const operate = (request: JsonRpc.Request, listener: Listener, { client, level, revision }: Read) => {
    const { capabilities } = client
    const during = duringModern({ server: core.info.name, patience: core.patience, revision, capabilities, stamp })
    return run(core, { revision, client, complete, during, logLevel: () => level, own }, request, listener)
  }
  return {
    notify: () => Effect.void,
    exchange: (request, listener) => {
      const read = readMeta(core, Meta.of(request.params))
      if (read instanceof RpcError) return Effect.succeed(refuse(request, read))
      if (request.method === "server/discover")
        return Effect.succeed(JsonRpc.success(request.id, discover(read.revision)))
      if (request.method !== LISTEN) return operate(request, listener, read)
      return Effect.withFiber(
        (fiber): Effect.Effect<JsonRpc.Response, never, R> =>
          subscribe(request, listener, read.revision, fiber) ?? operate(request, listener, read)
      )
    }
  }
}

/** What a server that speaks no modern revision says to a modern request: nothing that a modern server would say. */
export const notModern: Handler = {
  notify: () => Effect.void,
  exchange: (request) => Effect.succeed(refuse(request, RpcError.methodNotFound(request.method)))
}
