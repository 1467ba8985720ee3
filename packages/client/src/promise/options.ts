import type { JsonRpc, LogMessage, Progress } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { CacheOptions as BaseCacheOptions } from "../Cache.ts"
import type { Options as ClientOptions } from "../Client.ts"
import type { RequestOptions as BaseOptions } from "../Session.ts"
import type { Wait } from "../InputLoop.ts"
import { answersOf, type Host } from "./answers.ts"
import { type Awaitable, running } from "./running.ts"

/** What can be set for one request. */
export interface RequestOptions extends Omit<BaseOptions, "onProgress" | "onLog" | "onWait"> {
  /** Cancels the request: its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Hears how far the request has got, one report at a time. */
  readonly onProgress?: ((progress: Progress) => Awaitable<void>) | undefined
  /** Hears what the server logs because of this request, where the wire tells (HTTP). */
  readonly onLog?: ((log: LogMessage) => Awaitable<void>) | undefined
  /** Steers the wait before a request is made again that the server wants no answers for. */
  readonly onWait?: ((wait: Wait) => Awaitable<"retry" | "cancel" | void>) | undefined
}

/** How the results of a server are kept, for as long as it says that they stay fresh. */
export interface CacheOptions extends Omit<BaseCacheOptions, "context"> {
  /**
   * Who asks: a private result is given only to whom it was sent. It is called before and after a request; undefined
   * means that it cannot be told, so that nothing private is kept. Default what the transport knows.
   */
  readonly context?: (() => Awaitable<string | undefined>) | undefined
}

/** How a client connects, and what it does by itself. */
export interface Options extends Omit<ClientOptions, "answers" | "meta" | "middleware" | "cache"> {
  /** What the server may ask, each with the function that answers it. */
  readonly answers?: Host | undefined
  /** What every request says in its `_meta`: a value, or a function that is called once an operation. */
  readonly meta?: JsonRpc.JsonObject | (() => Awaitable<JsonRpc.JsonObject>) | undefined
  /** How results are kept for as long as the server says that they stay fresh; `false`: not at all. */
  readonly cache?: CacheOptions | false | undefined
  /** Gives up connecting. */
  readonly signal?: AbortSignal | undefined
}

const hearing =
  <A, B>(hear: (value: A) => Awaitable<B>) =>
  (value: A): Effect.Effect<B> =>
    Effect.orDie(running(() => hear(value)))

export const toRequest = ({ onLog, onProgress, onWait, ...options }: RequestOptions = {}): BaseOptions => ({
  ...options,
  ...(onProgress && { onProgress: hearing(onProgress) }),
  ...(onLog && { onLog: hearing(onLog) }),
  ...(onWait && { onWait: hearing(onWait) })
})

const toCache = ({ context, ...options }: CacheOptions): BaseCacheOptions => ({
  ...options,
  ...(context && { context: Effect.orDie(running(context)) })
})

/** Options of promises as those of Effect. */
export const toClient = ({ answers = {}, cache, meta, ...options }: Options): ClientOptions => ({
  ...options,
  ...(cache === undefined ? undefined : { cache: cache && toCache(cache) }),
  answers: answersOf(answers),
  ...(meta && { meta: typeof meta === "function" ? Effect.orDie(running(meta)) : meta })
})
