import {
  type Connection,
  type EmptyResult,
  JsonRpc,
  limits,
  type NotificationCodec,
  type NotificationMethod,
  type Notifications,
  type Revision,
  RpcError
} from "@effective-mcp/protocol"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Call } from "../Call.ts"
import type { Change } from "../Changes.ts"
import type { Hub } from "../changes/Hub.ts"
import { Pending } from "../changes/Pending.ts"
import type { Core, Failure, Say } from "../Core.ts"
import { ResourceNotFound } from "../ResourceNotFound.ts"
import { tell } from "./listen.ts"

/** How one legacy session hears of changes. */
export interface Watch<R> {
  /** What its client has subscribed to. */
  readonly uris: ReadonlySet<string>
  /** From now on the client may be told things unasked. */
  readonly begin: Effect.Effect<void>
  readonly subscribe: (uri: string) => Effect.Effect<EmptyResult, Failure, R | Call>
  readonly unsubscribe: (uri: string) => Effect.Effect<EmptyResult>
  readonly end: Effect.Effect<void>
}

/** Where it says so, and in which revision; both may change. */
export interface Wire {
  readonly client: () => Connection | undefined
  readonly revision: () => Revision
}

const full = RpcError.invalidParams(`Too many subscriptions: at most ${limits.watched} in a session`)

const makeSay =
  ({ client, revision }: Wire): Say =>
  <N extends NotificationMethod>(method: N, params: Notifications[N]) => {
    const codec: NotificationCodec<Notifications[N]> | undefined = revision().notifications.fromServer[method]
    const connection = client()
    return codec === undefined || connection === undefined
      ? Effect.void
      : Effect.ignore(connection.send(JsonRpc.notification(method, codec.encodeParams(params))))
  }

const isFound = <R>({ readable }: Core<R>, uri: string): Effect.Effect<void, Failure, R | Call> =>
  Effect.flatMap(readable([uri]), ({ length }) =>
    length === 0 ? Effect.fail(new ResourceNotFound({ uri })) : Effect.void
  )

/** Tells of nothing: where there are no changes to hear of, and for one request alone. */
export const quiet = <R>(core: Core<R>): Watch<R> => ({
  uris: new Set(),
  begin: Effect.void,
  subscribe: (uri) => Effect.as(isFound(core, uri), {}),
  unsubscribe: () => Effect.succeed({}),
  end: Effect.void
})

/**
 * Tells a legacy session of lists that change, and of the resources that it has subscribed to, until its scope closes.
 * As in a subscription, what already waits to be told is not told twice, and a turn's changes are told together.
 *
 * @param context the session's own: what is known of the request that it begins with would stay for as long
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 */
export const watch = <R>(
  core: Core<R>,
  hub: Hub,
  wire: Wire,
  context: Context.Context<Scope.Scope>,
  from: ReadonlyArray<string> = []
): Watch<R> => {
  const { capabilities } = core
  const uris = new Set<string>()
  const pending = new Pending()
  const say = makeSay(wire)
  const run = Effect.runForkWith(context)
  let begun = false
  let chars = 0
  let telling: Fiber.Fiber<void> | undefined

  const take = (uri: string): boolean => {
    if (!hub.take(uri.length)) return false
    chars += uri.length
    uris.add(uri)
    return true
  }
  const tellAll: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach(pending.take(), (change) => tell(say, change), { discard: true })
  )
  const startTelling = (): void => {
    // a turn first, in which the rest of what has changed comes
    const fiber = run(Effect.andThen(Effect.yieldNow, tellAll))
    telling = fiber
    fiber.addObserver((exit) => {
      telling = undefined
      if (exit._tag === "Success") pending.onFilled(startTelling)
    })
  }
  const hear = (change: Change): void => {
    const isWanted = change._tag === "Updated" ? uris.has(change.uri) : capabilities[change.list]?.listChanged === true
    if (isWanted) pending.add(change)
  }
  const begin = Effect.suspend(() => {
    if (begun) return Effect.void
    begun = true
    pending.onFilled(startTelling)
    return Fiber.join(run(hub.subscribe(hear)))
  })
  for (const uri of from.slice(0, limits.watched)) take(uri)
  return {
    uris,
    begin,
    subscribe: (uri) =>
      Effect.flatMap(isFound(core, uri), (): Effect.Effect<EmptyResult, Failure> => {
        if (!uris.has(uri) && (uris.size >= limits.watched || !take(uri))) return Effect.fail(full)
        return Effect.as(begin, {})
      }),
    unsubscribe: (uri) =>
      Effect.sync(() => {
        if (uris.delete(uri)) {
          chars -= uri.length
          hub.take(-uri.length)
          pending.forget(uri)
        }
        return {}
      }),
    end: Effect.suspend(() => {
      hub.take(-chars)
      chars = 0
      pending.onFilled(undefined)
      return telling === undefined ? Effect.void : Fiber.interrupt(telling)
    })
  }
}
