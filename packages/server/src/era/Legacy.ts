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
import { duringLegacy, type Reached } from "../ask/legacy.ts"
import type { Core, Operations } from "../Core.ts"
import { type Client, type Manner, refuse, run } from "../Run.ts"
import { supported } from "./Modern.ts"
import { quiet, type Watch, Watching, type Wire } from "./watch.ts"

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

/** What the requests of a conversation are answered with. */
type Means<R> = Pick<Manner<R>, "logLevel" | "own"> & Pick<Reached, "nextId">

/** Many are open at once, for long: what only a request needs is made for the first one. */
class LegacyConversation<R> implements Conversation<R>, Wire {
  readonly watch: Watch<R>
  private readonly core: Core<R>
  private state: State
  private initialized: boolean
  private level: LoggingLevel | undefined
  private connection: Connection | undefined
  private means: Means<R> | undefined

  constructor(core: Core<R>, from: Snapshot, watchOn: (wire: Wire) => Watch<R>) {
    this.core = core
    this.state = { revision: find(from.revision), info: from.client, capabilities: from.capabilities ?? {} }
    this.initialized = from.revision !== undefined
    this.level = levelOf(from.logLevel)
    this.watch = watchOn(this)
  }

  client(): Connection | undefined {
    return this.connection
  }

  revision(): Revision {
    return this.state.revision
  }

  readonly on = (connection: Connection): Handler<R> => {
    this.connection ??= connection
    // the same for all requests that come between two of `initialize`
    let manner: Manner<R> | undefined
    return {
      notify: ({ method }) =>
        this.initialized && method === "notifications/initialized" ? this.watch.begin() : Effect.void,
      exchange: (request, listener) => {
        if (request.method === "initialize") return Effect.succeed(this.initialize(request))
        if (request.method === "ping") return Effect.succeed(JsonRpc.success(request.id, {}))
        if (manner?.client !== this.state) manner = this.mannerOn(connection)
        return run(this.core, manner, request, listener)
      }
    }
  }

  get snapshot(): Effect.Effect<Snapshot> {
    return Effect.sync(() => {
      if (!this.initialized) return {}
      const { capabilities, info, revision } = this.state
      const { uris } = this.watch
      return {
        revision: revision.version,
        capabilities,
        ...(info === undefined ? undefined : { client: info }),
        ...(this.level === undefined ? undefined : { logLevel: this.level }),
        ...(uris.size === 0 ? undefined : { subscriptions: [...uris] })
      }
    })
  }

  private initialize(request: JsonRpc.Request): JsonRpc.Response {
    const { core } = this
    const read = readInitialize(request.params ?? {})
    if (read instanceof RpcError) return refuse(request, read)
    this.state = read
    this.initialized = true
    const said = {
      protocolVersion: read.revision.version,
      capabilities: core.capabilities,
      serverInfo: core.info,
      ...(core.instructions === undefined ? undefined : { instructions: core.instructions })
    }
    return JsonRpc.success(request.id, read.revision.openings.initialize?.encodeResult(said) ?? said)
  }

  private mannerOn(connection: Connection): Manner<R> {
    const { core, state: client } = this
    const { capabilities, revision } = client
    const { logLevel, nextId, own } = (this.means ??= this.makeMeans())
    const during = duringLegacy({ client: connection, nextId, patience: core.patience, revision, capabilities })
    return { revision, client, complete, during, logLevel, own }
  }

  private makeMeans(): Means<R> {
    const { core, watch } = this
    // the session may have asked before, on another node
    let ids: string | undefined
    let asked = 0
    const own: Operations<R> = {
      ...(core.logging === undefined
        ? undefined
        : {
            "logging/setLevel": (params: SetLevelParams) =>
              Effect.sync(() => {
                this.level = params.level
                return {}
              })
          }),
      ...(core.capabilities.resources?.subscribe !== true
        ? undefined
        : {
            "resources/subscribe": ({ uri }: ResourceParams) => watch.subscribe(uri),
            "resources/unsubscribe": ({ uri }: ResourceParams) => watch.unsubscribe(uri)
          })
    }
    return {
      own,
      logLevel: () => this.level ?? UNASKED,
      // made when first asked for: most sessions never ask, and the runtime loads much for it
      nextId: () => `${(ids ??= crypto.randomUUID())}-${++asked}`
    }
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
  if (hub === undefined || life === "request") {
    return Effect.sync(() => new LegacyConversation(core, from, () => quiet(core)))
  }
  return Effect.contextWith((context: Context.Context<Scope.Scope>) => {
    const begun = new LegacyConversation(
      core,
      from,
      (wire) => new Watching(core, hub, wire, context, from.subscriptions)
    )
    const { watch } = begun
    const ended = Scope.addFinalizer(
      Context.get(context, Scope.Scope),
      Effect.suspend(() => watch.end())
    )
    return Effect.as(from.revision === undefined ? ended : Effect.andThen(ended, watch.begin()), begun)
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
