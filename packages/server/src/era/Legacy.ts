import {
  clip,
  type Connection,
  type Conversation,
  ErrorCode,
  type Handler,
  isImplementation,
  JsonRpc,
  legacyRevisions,
  type Life,
  type LoggingLevel,
  loggingLevels,
  Meta,
  type ResourceParams,
  type Revision,
  RpcError,
  type SetLevelParams,
  type Snapshot
} from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { duringLegacy } from "../ask/legacy.ts"
import type { Core, Operations } from "../Core.ts"
import { type Client, type Manner, refuse, run } from "../Run.ts"
import { supported } from "./Modern.ts"
import { quiet, type Watch, watch, type Wire } from "./watch.ts"

/** What a client hears of logs that has not said what it wants to hear. */
const UNASKED: LoggingLevel = "info"

interface State extends Client {
  readonly revision: Revision
}

const levelOf = (level: string | undefined): LoggingLevel | undefined => loggingLevels.find((known) => known === level)

const find = (version: unknown): Revision =>
  legacyRevisions.find((revision) => revision.version === version) ?? legacyRevisions[0]

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization */
const readInitialize = (params: JsonRpc.JsonObject): State | RpcError => {
  const { capabilities, clientInfo, protocolVersion } = params
  if (typeof protocolVersion !== "string")
    return RpcError.invalidParams("Invalid params: protocolVersion is not a string")
  if (!JsonRpc.isObject(capabilities)) return RpcError.invalidParams("Invalid params: capabilities is not an object")
  if (!isImplementation(clientInfo))
    return RpcError.invalidParams("Invalid params: clientInfo is not an implementation")
  return { revision: find(protocolVersion), info: clientInfo, capabilities }
}

/** Where a conversation says what nobody has asked for, and how it hears of that. */
type Watching<R> = (wire: Wire) => Watch<R>

const conversation = <R>(core: Core<R>, from: Snapshot, watchingOn: Watching<R>): Conversation<R> => {
  let state: State = {
    revision: find(from.revision),
    info: from.client,
    capabilities: from.capabilities ?? {}
  }
  let initialized = from.revision !== undefined
  let level = levelOf(from.logLevel)
  let client: Connection | undefined
  const watching = watchingOn({ client: () => client, revision: () => state.revision })
  // the session may have asked before, on another node
  let ids: string | undefined
  let asked = 0
  // made when first asked for: most sessions never ask, and the runtime loads much for it
  const nextId = () => `${(ids ??= crypto.randomUUID())}-${++asked}`

  const initialize = (request: JsonRpc.Request): JsonRpc.Response => {
    const read = readInitialize(request.params ?? {})
    if (read instanceof RpcError) return refuse(request, read)
    state = read
    initialized = true
    const said = {
      protocolVersion: read.revision.version,
      capabilities: core.capabilities,
      serverInfo: core.info,
      ...(core.instructions === undefined ? undefined : { instructions: core.instructions })
    }
    return JsonRpc.success(request.id, read.revision.openings.initialize?.encodeResult(said) ?? said)
  }
  const own: Operations<R> = {
    ...(core.logging === undefined
      ? undefined
      : {
          "logging/setLevel": (params: SetLevelParams) =>
            Effect.sync(() => {
              level = params.level
              return {}
            })
        }),
    ...(core.capabilities.resources?.subscribe !== true
      ? undefined
      : {
          "resources/subscribe": ({ uri }: ResourceParams) => watching.subscribe(uri),
          "resources/unsubscribe": ({ uri }: ResourceParams) => watching.unsubscribe(uri)
        })
  }
  const logLevel = (): LoggingLevel => level ?? UNASKED
  const on = (connection: Connection): Handler<R> => {
    client ??= connection
    // the same for all requests that come between two of `initialize`
    let manner: Manner<R> | undefined
    const mannerOf = (client: State): Manner<R> => {
      const { capabilities, revision } = client
      const during = duringLegacy({ client: connection, nextId, patience: core.patience, revision, capabilities })
      return { revision, client, complete, during, logLevel, own }
    }
    return {
      notify: ({ method }) => (initialized && method === "notifications/initialized" ? watching.begin : Effect.void),
      exchange: (request, listener) => {
        if (request.method === "initialize") return Effect.succeed(initialize(request))
        if (request.method === "ping") return Effect.succeed(JsonRpc.success(request.id, {}))
        if (manner?.client !== state) manner = mannerOf(state)
        return run(core, manner, request, listener)
      }
    }
  }
  return {
    on,
    snapshot: Effect.sync(() =>
      initialized
        ? {
            revision: state.revision.version,
            capabilities: state.capabilities,
            ...(state.info === undefined ? undefined : { client: state.info }),
            ...(level === undefined ? undefined : { logLevel: level }),
            ...(watching.uris.size === 0 ? undefined : { subscriptions: [...watching.uris] })
          }
        : {}
    )
  }
}

/**
 * 2024-11-05 to 2025-11-25: one conversation, opened by `initialize`. What comes before that is served as if the newest
 * legacy revision had been agreed on, so that a person can type it. What is said unasked goes out over the session's own
 * connection, the first.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 */
export const legacy = <R>(
  core: Core<R>,
  from: Snapshot = {},
  life: Life = "session"
): Effect.Effect<Conversation<R>, never, Scope.Scope> => {
  const { hub } = core
  if (hub === undefined || life === "request") return Effect.sync(() => conversation(core, from, () => quiet(core)))
  return Effect.contextWith((context: Context.Context<Scope.Scope>) => {
    let watching = quiet(core)
    const begun = conversation(core, from, (wire) => (watching = watch(core, hub, wire, context, from.subscriptions)))
    const goOn = from.revision === undefined ? Effect.void : watching.begin
    return Effect.as(Effect.andThen(Scope.addFinalizer(Context.get(context, Scope.Scope), watching.end), goOn), begun)
  })
}

/** There is no result type here, whatever an author puts into a result. */
const complete = (result: JsonRpc.JsonObject): JsonRpc.JsonObject => {
  if (!("resultType" in result)) return result
  const { resultType: _unsaid, ...rest } = result
  return rest
}

/** What a server that speaks no legacy revision says: which versions it does speak, or what a request lacks. */
export const notLegacy = (core: Core<unknown>): Conversation => {
  const reason = ({ method, params }: JsonRpc.Request): RpcError => {
    if (method !== "initialize") return RpcError.invalidParams(`Invalid params: _meta has no ${Meta.PROTOCOL_VERSION}`)
    const requested = params?.protocolVersion
    return new RpcError({
      code: ErrorCode.UnsupportedProtocolVersion,
      message: `Unsupported protocol version: this server speaks ${supported(core.eras).join(", ")}, without initialize`,
      // a text whatever was sent: only with one does the error tell a client which versions to try
      data: { supported: supported(core.eras), requested: typeof requested === "string" ? clip(requested) : "" }
    })
  }
  const handler: Handler = {
    notify: () => Effect.void,
    exchange: (request) => Effect.succeed(refuse(request, reason(request)))
  }
  return { on: () => handler, snapshot: Effect.succeed({}) }
}
