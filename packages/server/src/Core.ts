import type {
  CacheHints,
  Era,
  Implementation,
  JsonRpc,
  Method,
  Methods,
  NotificationMethod,
  Notifications,
  RpcError,
  ServerCapabilities
} from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type { Patience } from "./ask/patience.ts"
import type { Call } from "./Call.ts"
import type { Hub } from "./changes/Hub.ts"
import type { ExtensionMethod } from "./Extension.ts"
import type { Feature } from "./Feature.ts"
import type { InputRequired } from "./InputRequired.ts"
import type { InvalidArguments } from "./InvalidArguments.ts"
import type { Middleware } from "./Middleware.ts"
import type { ResourceNotFound } from "./ResourceNotFound.ts"

/** How an operation fails, in neutral terms: each revision says it in its own way. */
export type Failure = RpcError | InvalidArguments | ResourceNotFound

/** Says something to who asked, before the response, as the revision does; nothing where the revision cannot. */
export type Say = <N extends NotificationMethod>(method: N, params: Notifications[N]) => Effect.Effect<void>

/** What an operation knows of the request beside its params. */
export interface Exchange {
  readonly request: JsonRpc.Request
  readonly say: Say
}

/** How a server answers one method, in neutral terms; some may ask for input first. */
export type Operation<M extends Method, R> = (
  params: Methods[M]["params"],
  exchange: Exchange
) => Effect.Effect<Methods[M]["result"] | InputRequired, Failure, R | Call>

export type Operations<R> = { readonly [M in Method]?: Operation<M, R> }

/** One chapter of the specification: the methods it defines, and its part of the capabilities. */
export interface Chapter<R> {
  readonly capabilities: ServerCapabilities
  readonly operations: Operations<R>
}

/** All that a server offers at one time. */
export interface Offer<R> extends Chapter<R> {
  /** The methods of its extensions, by name. */
  readonly methods: ReadonlyMap<string, ExtensionMethod<R>>
  /** Those of some URIs under which the caller may read a resource. */
  readonly readable: (uris: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, never, R | Call>
}

/** Which features the caller of a request may see. */
export type Visible<R> = Effect.Effect<(feature: Feature<unknown>) => boolean, never, R>

/** The results that a client may keep for a while. */
export type Cacheable =
  | "server/discover"
  | "tools/list"
  | "resources/list"
  | "resources/templates/list"
  | "resources/read"
  | "prompts/list"

/** What a chapter is made with beside its features. */
export interface Settings<R> {
  readonly pageSize: number
  readonly visible: Visible<R> | undefined
  readonly hintsOf: (method: Cacheable) => CacheHints
}

/** A server as its eras see it. */
export interface Core<R> extends Chapter<R>, Pick<Offer<R>, "methods" | "readable"> {
  readonly info: Implementation
  readonly instructions: string | undefined
  readonly eras: ReadonlyArray<Era>
  readonly hintsOf: (method: Cacheable) => CacheHints
  readonly middleware: ReadonlyArray<Middleware<R>>
  /** Whether clients may ask for logs, and what they get of them. */
  readonly logging: { readonly effect: boolean } | undefined
  /** Tells of changes; undefined for a server that has none. */
  readonly hub: Hub | undefined
  /** How long and how often its clients may be asked. */
  readonly patience: Patience
}
