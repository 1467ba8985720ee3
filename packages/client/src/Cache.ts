import type { CacheHints, JsonRpc, TransportError } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type CacheEntry, type CacheKey, type CacheKind, type CacheStore, memory } from "./cache/CacheStore.ts"
import { hidden, ofMeta, shortened } from "./cache/fingerprint.ts"
import { Generations } from "./cache/Generations.ts"
import { hintsOf, type Place, placeOf } from "./cache/place.ts"
import type { CallError } from "./ClientError.ts"
import { bringsInput } from "./InputLoop.ts"
import { isDown } from "./isDown.ts"
import type { Method, Methods } from "./Methods.ts"
import type { Layer } from "./Send.ts"
import type { RequestOptions } from "./Session.ts"
import { toMillis } from "./times.ts"
import { wholesOf } from "./within.ts"

/** What is kept of a result. */
export interface CacheInfo {
  /** How long it stays fresh from `receivedAt` on, in ms; `Infinity` means until it is said to have changed. */
  readonly ttlMs: number
  readonly scope: "public" | "private"
  /** In ms since 1970. */
  readonly receivedAt: number
  readonly isFresh: boolean
}

/** How the results of a server are kept, for as long as it says that they stay fresh. */
export interface CacheOptions {
  /** Where they are kept. Default `CacheStore.memory()`. */
  readonly store?: CacheStore | undefined
  /**
   * Who asks: a private result is given only to whom it was sent. It is run before and after a request; undefined means
   * that it cannot be told, so that nothing private is kept. Default what the transport knows; a wire that carries no
   * credentials has one caller.
   */
  readonly context?: Effect.Effect<string | undefined> | undefined
  /** For how long after its time a result may stand in for one that a wire that fails cannot bring. Default not at all. */
  readonly staleIfError?: Duration.Input | undefined
}

/** What tells of a session what its cache depends on. */
export interface CacheSource {
  /** Whether a change of this kind will be heard of, so that what has no time of its own can be kept until then. */
  readonly hears: (kind: CacheKind) => boolean
  readonly context: Effect.Effect<string | undefined>
}

export interface Cache {
  readonly layer: Layer
  /** Drops what is kept of a kind, or of one resource; what is on its way is not kept either. */
  readonly invalidate: (kind?: CacheKind, uri?: string) => Effect.Effect<void>
  /** Drops what was read of a resource that was updated, and of all that it may be part of. */
  readonly updated: (uri: string) => Effect.Effect<void>
  /** Another session has begun: what was only fresh until a change was heard of is not any more. */
  readonly renewed: Effect.Effect<void>
  /** What is kept of a list, or of a resource, as it was asked for with this `_meta`. */
  readonly info: (kind: CacheKind, uri?: string, meta?: JsonRpc.JsonObject) => Effect.Effect<CacheInfo | undefined>
}

const INVALID_CURSOR = -32602

const isFresh = ({ receivedAt, ttlMs }: CacheEntry, now: number): boolean =>
  receivedAt <= now && now < receivedAt + ttlMs

/** A wire that failed for now; what asks for credentials never has a stand-in. */
const isPassing = (error: TransportError): boolean => isDown(error) || error.reason._tag === "TimedOut"

/** How long a result may be kept, in ms; undefined when it may not. */
const ttlOf = (place: Place, { ttlMs }: CacheHints, result: object, source: CacheSource): number | undefined => {
  if (ttlMs !== undefined) return Number.isFinite(ttlMs) && ttlMs > 0 ? ttlMs : undefined
  // an empty list without a word may be one that is not ready yet
  const size = place.sizeOf(result)
  return size !== undefined && size > 0 && source.hears(place.kind) ? Infinity : undefined
}

/**
 * Keeps results as long as the server says that they stay fresh, and gives nobody what belongs to another.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export const make = (source: CacheSource, options: CacheOptions = {}): Cache => {
  // what is fresh until it changes is so for whoever hears of that: this client, in this session
  const own = memory()
  const store = options.store ?? own
  const staleMs = options.staleIfError === undefined ? 0 : toMillis("staleIfError", options.staleIfError)
  const generations = new Generations()
  /** Lists of which a page was private: all of their pages are. */
  const closed = new Set<CacheKind>()
  const context = Effect.flatMap(options.context ?? source.context, (who) =>
    who === undefined || who === "" ? Effect.succeed(who) : hidden(who)
  )

  const drop = (kind?: CacheKind, at?: string): Effect.Effect<void> =>
    store === own ? own.drop(kind, at) : Effect.andThen(own.drop(kind, at), store.drop(kind, at))
  const invalidate = (kind?: CacheKind, uri?: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      generations.changed(kind, uri)
      if (uri === undefined) {
        if (kind === undefined) closed.clear()
        else closed.delete(kind)
      }
      return Effect.flatMap(uri === undefined ? Effect.undefined : shortened(uri), (at) => drop(kind, at))
    })
  const updated = (uri: string): Effect.Effect<void> => {
    const wholes = wholesOf(uri)
    return wholes === undefined
      ? invalidate("resources/read")
      : Effect.forEach(wholes, (whole) => invalidate("resources/read", whole), {
          concurrency: "unbounded",
          discard: true
        })
  }
  const renewed = Effect.suspend(() => {
    generations.changed()
    return own.dropUntimed
  })
  const get = (key: CacheKey) =>
    Effect.flatMap(own.get(key), (kept) =>
      kept === undefined && store !== own ? store.get(key) : Effect.succeed(kept)
    )

  /** What is kept for a request: what anybody may have, else what is the caller's own. */
  const find = Effect.fnUntraced(function* (key: CacheKey, who: string | undefined) {
    const common = closed.has(key.kind) ? undefined : yield* get({ ...key, context: undefined })
    return common ?? (who === undefined ? undefined : yield* get({ ...key, context: who }))
  })

  const keep = Effect.fnUntraced(function* (
    place: Place,
    key: CacheKey,
    who: string | undefined,
    value: object,
    isCurrent: () => boolean
  ) {
    const hints = hintsOf(value)
    const ttlMs = ttlOf(place, hints, value, source)
    if (ttlMs === undefined) return
    const isPrivate = hints.cacheScope !== "public" || closed.has(place.kind)
    if (isPrivate && (who === undefined || (yield* context) !== who)) return
    if (isPrivate && place.kind !== "resources/read" && !closed.has(place.kind)) {
      closed.add(place.kind)
      yield* drop(place.kind)
    }
    const receivedAt = yield* Clock.currentTimeMillis
    const into = ttlMs === Infinity ? own : store
    if (!isCurrent()) return
    yield* into.set({ ...key, context: isPrivate ? who : undefined }, { value, receivedAt, ttlMs })
  })

  const through = Effect.fnUntraced(function* <A extends object>(
    place: Place,
    options: RequestOptions,
    request: (options: RequestOptions) => Effect.Effect<A, CallError>
  ) {
    const fingerprint = yield* ofMeta(options.meta)
    if (fingerprint === undefined) return yield* request(options)
    let hasAnswered = false
    const send = request({
      ...options,
      onRound: (round) => {
        hasAnswered = true
        options.onRound?.(round)
      }
    })
    const who = yield* context
    const key: CacheKey = { kind: place.kind, at: yield* shortened(place.at), meta: fingerprint, context: undefined }
    const kept = yield* find(key, who)
    const now = yield* Clock.currentTimeMillis
    if (kept !== undefined && options.cache !== "reload" && isFresh(kept, now)) {
      const left = kept.ttlMs === Infinity ? undefined : { ttlMs: kept.receivedAt + kept.ttlMs - now }
      return { ...(kept.value as A), ...left } // cast: it was kept under the same method
    }
    const before = generations.of(place.kind, place.at)
    const instead = (error: CallError): Effect.Effect<A, CallError> => {
      // who wants it anew wants no stand-in, nor does anybody want what is known to have changed
      const standIn = options.cache !== "reload" && generations.of(place.kind, place.at) === before ? kept : undefined
      const until = standIn === undefined ? 0 : standIn.receivedAt + standIn.ttlMs + staleMs
      if (error._tag === "TransportError" && isPassing(error) && standIn !== undefined && now < until) {
        const said = Effect.logWarning(`${place.kind} failed; what was kept of it stands in`)
        return Effect.as(said, standIn.value as A) // cast: as above
      }
      const isCursor = place.at !== "" && place.kind !== "resources/read"
      return isCursor && error._tag === "RpcError" && error.code === INVALID_CURSOR
        ? Effect.andThen(invalidate(place.kind), Effect.fail(error))
        : Effect.fail(error)
    }
    const result = yield* send.pipe(Effect.catch(instead))
    // what a person or a model has answered is no part of the key
    const isCurrent = (): boolean => generations.of(place.kind, place.at) === before
    if (!hasAnswered && result !== kept?.value && isCurrent()) yield* keep(place, key, who, result, isCurrent)
    return result
  })

  return {
    invalidate,
    updated,
    renewed,
    info: Effect.fnUntraced(function* (kind, uri = "", meta) {
      const who = yield* context
      const fingerprint = yield* ofMeta(meta)
      if (fingerprint === undefined) return undefined
      const key = { kind, at: yield* shortened(uri), meta: fingerprint, context: undefined }
      const common = closed.has(kind) ? undefined : yield* get(key)
      const kept = common ?? (yield* find(key, who))
      if (kept === undefined) return undefined
      const { receivedAt, ttlMs } = kept
      const scope = kept === common ? "public" : "private"
      return { ttlMs, receivedAt, scope, isFresh: isFresh(kept, yield* Clock.currentTimeMillis) }
    }),
    layer:
      (next) =>
      <M extends Method>(method: M, params: Methods[M]["params"], requestOptions: RequestOptions = {}) => {
        const place = bringsInput(requestOptions) ? undefined : placeOf(method, params)
        return place === undefined
          ? next(method, params, requestOptions)
          : through(place, requestOptions, (options) => next(method, params, options))
      }
  }
}
