import {
  type Connection,
  type EmptyResult,
  JsonRpc,
  limits,
  type NotificationCodec,
  type NotificationMethod,
  type Notifications,
  type Revision,
  RpcError,
  type ServerCapabilities
} from "@effective-mcp/protocol"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Call } from "../Call.ts"
import type { Change } from "../Changes.ts"
import type { Hub, Listening } from "../changes/Hub.ts"
import { Pending } from "../changes/Pending.ts"
import type { Core, Failure, Say } from "../Core.ts"
import { ResourceNotFound } from "../ResourceNotFound.ts"
import { tell } from "./Subscription.ts"

/** How one legacy session hears of changes. */
export interface Watch<R> {
  /** What its client has subscribed to. */
  readonly uris: ReadonlySet<string>
  /** From now on the client may be told things unasked. */
  readonly begin: () => Effect.Effect<void>
  readonly subscribe: (uri: string) => Effect.Effect<EmptyResult, Failure, R | Call>
  readonly unsubscribe: (uri: string) => Effect.Effect<EmptyResult>
  readonly end: () => Effect.Effect<void>
}

/** Where it says so, and in which revision; both may change. */
export interface Wire {
  readonly client: () => Connection | undefined
  readonly revision: () => Revision
}

const none: ReadonlySet<string> = new Set()

const full = RpcError.invalidParams(`Too many subscriptions: at most ${limits.watched} in a session`)

const makeSay =
  (wire: Wire): Say =>
  <N extends NotificationMethod>(method: N, params: Notifications[N]) => {
    const codec: NotificationCodec<Notifications[N]> | undefined = wire.revision().notifications.fromServer[method]
    const connection = wire.client()
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
  uris: none,
  begin: () => Effect.void,
  subscribe: (uri) => Effect.as(isFound(core, uri), {}),
  unsubscribe: () => Effect.succeed({}),
  end: () => Effect.void
})

/**
 * Tells a legacy session of lists that change, and of the resources that it has subscribed to, until it ends. As in a
 * subscription, what already waits to be told is not told twice, and a turn's changes are told together.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 */
export class Watching<R> implements Watch<R>, Listening {
  private readonly core: Core<R>
  private readonly capabilities: ServerCapabilities
  private readonly hub: Hub
  private readonly wire: Wire
  private readonly context: Context.Context<Scope.Scope>
  private readonly pending = new Pending()
  private subscribed: Set<string> | undefined
  private chars = 0
  private begun = false
  private telling: Fiber.Fiber<void> | undefined

  /** `context` is the session's own: what is known of the request that it begins with would stay for as long. */
  constructor(
    core: Core<R>,
    hub: Hub,
    wire: Wire,
    context: Context.Context<Scope.Scope>,
    from: ReadonlyArray<string> = []
  ) {
    this.core = core
    this.capabilities = core.capabilities
    this.hub = hub
    this.wire = wire
    this.context = context
    for (const uri of from.slice(0, limits.watched)) this.take(uri)
  }

  get uris(): ReadonlySet<string> {
    return this.subscribed ?? none
  }

  begin(): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.begun) return Effect.void
      this.begun = true
      this.pending.onFilled(this.startTelling)
      return Fiber.join(this.run(this.hub.join(this)))
    })
  }

  subscribe(uri: string): Effect.Effect<EmptyResult, Failure, R | Call> {
    return Effect.flatMap(isFound(this.core, uri), (): Effect.Effect<EmptyResult, Failure> => {
      if (!this.uris.has(uri) && (this.uris.size >= limits.watched || !this.take(uri))) return Effect.fail(full)
      return Effect.as(this.begin(), {})
    })
  }

  unsubscribe(uri: string): Effect.Effect<EmptyResult> {
    return Effect.sync(() => {
      if (this.subscribed?.delete(uri) === true) {
        this.chars -= uri.length
        this.hub.take(-uri.length)
        this.pending.forget(uri)
      }
      return {}
    })
  }

  end(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.begun = true
      this.hub.take(-this.chars)
      this.chars = 0
      this.pending.onFilled(undefined)
      const { telling } = this
      const left = this.hub.leave(this)
      return telling === undefined ? left : Effect.andThen(left, Fiber.interrupt(telling))
    })
  }

  hear(change: Change): void {
    const isWanted =
      change._tag === "Updated" ? this.uris.has(change.uri) : this.capabilities[change.list]?.listChanged === true
    if (isWanted) this.pending.add(change)
  }

  private run(effect: Effect.Effect<void>): Fiber.Fiber<void> {
    return Effect.runForkWith(this.context)(effect)
  }

  private take(uri: string): boolean {
    if (!this.hub.take(uri.length)) return false
    this.chars += uri.length
    this.subscribed ??= new Set()
    this.subscribed.add(uri)
    return true
  }

  private readonly startTelling = (): void => {
    const say = makeSay(this.wire)
    const tellAll = Effect.suspend(() =>
      Effect.forEach(this.pending.take(), (change) => tell(say, change), { discard: true })
    )
    // a turn first, in which the rest of what has changed comes
    const fiber = this.run(Effect.andThen(Effect.yieldNow, tellAll))
    this.telling = fiber
    fiber.addObserver((exit) => {
      this.telling = undefined
      if (exit._tag === "Success") this.pending.onFilled(this.startTelling)
    })
  }
}
