import type { SubscriptionFilter } from "@effective-mcp/protocol"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Cache, type CacheOptions, type CacheSource, make as makeCache } from "./Cache.ts"
import type { CacheKind } from "./cache/CacheStore.ts"
import type { Spoken } from "./era/Remedy.ts"
import type { Hub, List } from "./Hub.ts"
import { layer as metadataLayer, type Metadata } from "./Metadata.ts"
import { type Middleware, layer as middlewareLayer } from "./Middleware.ts"
import { requireOptions } from "./requireOptions.ts"
import { alone, type Attempt, make as makeRetry, once, type RetryOptions } from "./Retry.ts"
import { type Layer, type Send, toSend } from "./Send.ts"
import type { Watch } from "./Session.ts"
import { layer as telemetryLayer } from "./telemetry.ts"

/** What a program sets of the layers; they are built once a client. */
export interface LayerOptions<out RM> {
  readonly retry?: RetryOptions | false | undefined
  readonly cache?: CacheOptions | false | undefined
  readonly meta?: Metadata | undefined
  readonly middleware?: ReadonlyArray<Middleware<RM>> | undefined
}

/** Refuses at once what means nothing. */
export const requireLayers = ({ cache, retry }: LayerOptions<unknown>): void => {
  if (retry !== false) makeRetry(retry)
  if (cache !== false) makeCache({ hears: () => false, context: Effect.undefined }, cache)
}

/**
 * All around a client's requests, the outermost first. Once a session is found, whatever it fails with is seen by
 * `within`; a layer that a program does not use is not there.
 */
export const around = <RM>(
  send: Send,
  cache: Cache,
  { cache: kept, meta, middleware = [] }: LayerOptions<RM>,
  context: Context.Context<RM>
): Send => {
  const all = stack(
    [
      middleware.length === 0 ? undefined : middlewareLayer(middleware, context),
      meta === undefined ? undefined : metadataLayer(meta),
      kept === false ? undefined : cache.layer
    ],
    send
  )
  return (method, params, options) => {
    if (options !== undefined) requireOptions(options)
    return all(method, params, options)
  }
}

/** A session with all around its requests. */
export interface Dressed extends Spoken {
  /** What `request` does, and `otherwise` when that has failed. */
  readonly attempt: Attempt
}

/** All around the requests of one session, each time that one is sent; made once a client, which has one budget. */
export const within = ({ retry }: LayerOptions<unknown>, totalMs: number): ((session: Spoken) => Dressed) => {
  const retrying = retry === false ? once : makeRetry(retry, totalMs)
  return (session) => {
    const attempt = retrying(telemetryLayer(session.revision)(session.send))
    const send = alone(attempt)
    return { ...session, attempt, send, request: toSend(send) }
  }
}

const stack = (layers: ReadonlyArray<Layer | undefined>, send: Send): Send =>
  layers.reduceRight<Send>((next, layer) => (layer === undefined ? next : layer(next)), send)

const listOf: { readonly [K in CacheKind]?: List } = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resources"
}

const kindsOf: { readonly [L in List]: ReadonlyArray<CacheKind> } = {
  tools: ["tools/list"],
  prompts: ["prompts/list"],
  resources: ["resources/list", "resources/templates/list", "resources/read"]
}

/** What a client's sessions tell its cache. */
export const sourceOf = (live: () => Spoken, caller: CacheSource["context"]): CacheSource => ({
  context: caller,
  hears: (kind) => {
    const list = listOf[kind]
    return list !== undefined && live().tells?.(list) === true
  }
})

/** What of the results that are kept may be stale when changes of this were missed. */
const staleOf = (missed: SubscriptionFilter): ReadonlySet<CacheKind> =>
  new Set([
    ...(missed.toolsListChanged === true ? kindsOf.tools : []),
    ...(missed.promptsListChanged === true ? kindsOf.prompts : []),
    ...(missed.resourcesListChanged === true ? kindsOf.resources : []),
    // any part of what was listened to may have changed
    ...(missed.resourceSubscriptions === undefined ? [] : (["resources/read"] as const))
  ])

/** Has a cache forget what the server says has changed, and what it may have said while nobody heard it. */
export const forgetting = (cache: Cache, hub: Hub, run: (effect: Effect.Effect<void>) => void) => {
  hub.onHeard((heard) => {
    if (heard._tag === "Updated") run(cache.updated(heard.uri))
    if (heard._tag === "ListChanged") for (const kind of kindsOf[heard.list]) run(cache.invalidate(kind))
    if (heard._tag === "Missed") run(cache.invalidate())
  })
  /** A watch that is taken anew after a break. */
  const around =
    (watch: Watch): Watch =>
    (wish, hear, isAgain = false, eras) =>
      watch(
        wish,
        (told) => {
          if (isAgain && told._tag === "Taken") for (const kind of staleOf(told.granted)) run(cache.invalidate(kind))
          hear(told)
        },
        isAgain,
        eras
      )
  return around
}
