import {
  clip,
  ErrorCode,
  type Handler,
  isImplementation,
  JsonRpc,
  legacyRevisions,
  Meta,
  modernRevisions,
  type Revision,
  RpcError,
  versionsOf
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { duringModern } from "../ask/modern.ts"
import type { Core } from "../Core.ts"
import { type Client, refuse, run } from "../Run.ts"

/** The versions that a server speaks, newest first. */
export const supported = (eras: Core<never>["eras"]): ReadonlyArray<string> => [
  ...(eras.includes("modern") ? versionsOf(modernRevisions) : []),
  ...(eras.includes("legacy") ? versionsOf(legacyRevisions) : [])
]

/** What every modern request says of itself. @see https://modelcontextprotocol.io/specification/2026-07-28/basic#meta */
const readMeta = (core: Core<unknown>, meta: JsonRpc.JsonObject): { revision: Revision; client: Client } | RpcError => {
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
  return { revision, client: { info, capabilities } }
}

/**
 * 2026-07-28 and later: every request stands alone.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#statelessness
 */
export const modern = <R>(core: Core<R>): Handler<R> => {
  const stamp = { [Meta.SERVER_INFO]: core.info }
  const discovered: JsonRpc.JsonObject = {
    supportedVersions: supported(core.eras),
    capabilities: core.capabilities,
    ...(core.instructions === undefined ? undefined : { instructions: core.instructions }),
    ttlMs: 0,
    cacheScope: "private"
  }
  const complete = (result: JsonRpc.JsonObject): JsonRpc.JsonObject => ({
    ...result,
    resultType: "complete",
    _meta: result._meta === undefined ? stamp : { ...Meta.of(result), ...stamp }
  })
  return {
    notify: () => Effect.void,
    exchange: (request, listener) => {
      const read = readMeta(core, Meta.of(request.params))
      if (read instanceof RpcError) return Effect.succeed(refuse(request, read))
      if (request.method === "server/discover") return Effect.succeed(JsonRpc.success(request.id, complete(discovered)))
      const { client, revision } = read
      const asking = { server: core.info.name, revision, capabilities: client.capabilities, stamp }
      return run(core, { ...read, complete, during: duringModern(asking) }, request, listener)
    }
  }
}

/** What a server that speaks no modern revision says to a modern request: nothing that a modern server would say. */
export const notModern: Handler = {
  notify: () => Effect.void,
  exchange: (request) => Effect.succeed(refuse(request, RpcError.methodNotFound(request.method)))
}
