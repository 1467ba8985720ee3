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
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Call } from "../Call.ts"
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

/**
 * Tells a legacy session of lists that change, and of the resources that it has subscribed to, until its scope closes.
 * As in a subscription, what already waits to be told is not told twice, and a turn's changes are told together.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 */
export const watch = <R>(
  core: Core<R>,
  wire: Wire,
  from: ReadonlyArray<string> = []
): Effect.Effect<Watch<R>, never, Scope.Scope> =>
  core.hub === undefined ? Effect.succeed(nothing) : watchHub(core, core.hub, wire, from)

/** A server that tells of no changes keeps nothing for its sessions. */
const nothing: Watch<never> = {
  uris: new Set(),
  begin: Effect.void,
  subscribe: (uri) => Effect.fail(new ResourceNotFound({ uri })),
  unsubscribe: () => Effect.succeed({})
}

const watchHub = Effect.fnUntraced(function* <R>(
  { capabilities, readable }: Core<R>,
  hub: Hub,
  wire: Wire,
  from: ReadonlyArray<string>
): Effect.fn.Return<Watch<R>, never, Scope.Scope> {
  const uris = new Set<string>()
  const pending = new Pending()
  const say = makeSay(wire)
  const run = Effect.runForkWith(yield* Effect.context<Scope.Scope>())
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
  const subscribeToHub = Effect.suspend(() => {
    if (begun) return Effect.void
    begun = true
    pending.onFilled(startTelling)
    return hub.subscribe((change) => {
      const isWanted =
        change._tag === "Updated" ? uris.has(change.uri) : capabilities[change.list]?.listChanged === true
      if (isWanted) pending.add(change)
    })
  })
  // in a fiber of the session's own: what is known of the request that it begins with would stay for as long
  const begin = Effect.suspend(() => (begun ? Effect.void : Fiber.join(run(subscribeToHub))))

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      hub.take(-chars)
      chars = 0
      pending.onFilled(undefined)
      return telling === undefined ? Effect.void : Fiber.interrupt(telling)
    })
  )
  for (const uri of from.slice(0, limits.watched)) take(uri)
  return {
    uris,
    begin,
    subscribe: (uri) =>
      Effect.flatMap(readable([uri]), ({ length }): Effect.Effect<EmptyResult, Failure> => {
        if (length === 0) return Effect.fail(new ResourceNotFound({ uri }))
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
      })
  }
})
