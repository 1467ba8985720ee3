import { type Conversation, type Handler, HttpEra } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { back, type Line, makeLine, nobody } from "./back.ts"
import type { Manner } from "./Channel.ts"
import * as Session from "./Session.ts"
import type { Kept, SessionStore } from "./SessionStore.ts"

export interface Options {
  readonly idleMs: number
  readonly most: number
  readonly reaperMs: number
  readonly store: SessionStore | undefined
  /** How channels of a session behave, but for what its revision and its name say. */
  readonly manner: Omit<Manner, "polling" | "events"> & {
    readonly events: NonNullable<Manner["events"]>["store"] | undefined
  }
  /** The time, in ms. */
  readonly now: () => number
  /** Runs what outlives its request. */
  readonly run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
}

/** Letters of a session's public name. */
const TAG = 12

/** What a session is made of, before anything is agreed on. */
export interface Begun<R> extends Line {
  readonly scope: Scope.Closeable
  readonly conversation: Conversation<R>
  readonly standing: Handler<R>
}

/** Leads nowhere: what one request alone asks of its conversation. */
const silent = makeLine()

/** Begins a session: its conversation hears first of the way to its client that is always there. */
export const begin = <R>(
  converse: Effect.Effect<Conversation<R>, never, Scope.Scope>,
  line: Line | undefined,
  scope: Scope.Closeable
): Effect.Effect<Begun<R>> =>
  Effect.map(Scope.provide(converse, scope), (conversation) => ({
    scope,
    conversation,
    standing: conversation.on(line === undefined ? nobody : back(line)),
    ...(line ?? silent)
  }))

/** The sessions of one endpoint that live in this process: bounded in number, and ended when they have idled. */
export const make = <R>({ idleMs, manner, most, now, reaperMs, run, store }: Options) => {
  const live = new Map<string, Session.Session<R>>()
  let reserved = 0
  let reaper: Fiber.Fiber<void> | undefined

  /** That of all sessions where nothing is kept. */
  const plain: Manner = { ...manner, events: undefined, polling: false }
  const mannerOf = (tag: string, revision: string | undefined): Manner =>
    manner.events === undefined
      ? plain
      : {
          ...manner,
          events: { store: manner.events, session: tag },
          polling: !manner.json && HttpEra.allowsPolling(revision)
        }
  const isIdle = ({ busy, usedAt }: Session.Session<R>): boolean => busy === 0 && now() - usedAt >= idleMs
  /** What a session leaves behind. */
  const end = (session: Session.Session<R>): Effect.Effect<void> =>
    Effect.andThen(Session.close(session), manner.events?.forget(session.tag) ?? Effect.void)
  const reap = Effect.suspend(() => {
    const idle = [...live.values()].filter(isIdle)
    for (const { id } of idle) live.delete(id ?? "")
    return Effect.forEach(idle, end, { discard: true })
  })
  /** Once nothing is left there is no timer either. */
  const drop = (id: string): void => {
    live.delete(id)
    if (live.size > 0) return
    reaper?.interruptUnsafe()
    reaper = undefined
  }
  const watch: Effect.Effect<void> = Effect.sleep(Math.min(reaperMs, idleMs)).pipe(
    Effect.andThen(reap),
    Effect.flatMap(() => {
      if (live.size > 0) return watch
      reaper = undefined
      return Effect.void
    })
  )
  const add = (
    id: string,
    begun: Begun<R>,
    kept: Omit<Kept, "snapshot">,
    revision: string | undefined
  ): Session.Session<R> => {
    const tag = crypto.randomUUID().replaceAll("-", "").slice(0, TAG)
    const session = Session.make({
      ...kept,
      ...begun,
      id,
      tag,
      revision,
      manner: mannerOf(tag, revision),
      usedAt: now()
    })
    live.set(id, session)
    if (idleMs !== Infinity) reaper ??= run(watch)
    return session
  }
  /** Keeps what may have changed. */
  const save = (session: Session.Session<R>): Effect.Effect<void> => {
    const { id, origin, owner } = session
    if (store === undefined || id === undefined) return Effect.void
    return Effect.flatMap(session.conversation.snapshot, (snapshot) => {
      const text = JSON.stringify(snapshot)
      // it is kept for as long as it may idle, so that one in use has to be kept anew now and then
      if (text === session.saved && now() - session.savedAt < idleMs / 2) return Effect.void
      session.saved = text
      session.savedAt = now()
      const kept = {
        snapshot,
        ...(owner === undefined ? undefined : { owner }),
        ...(origin === undefined ? undefined : { origin })
      }
      return store.put(id, kept, idleMs)
    })
  }
  const reserve = Effect.suspend(() => {
    const take = (): boolean => {
      const isFree = live.size + reserved < most
      if (isFree) reserved++
      return isFree
    }
    return take() ? Effect.succeed(true) : Effect.map(reap, take)
  })
  const release = Effect.sync(() => {
    reserved--
  })
  type Converse = (kept: Kept) => Effect.Effect<Conversation<R>, never, Scope.Scope>
  /** Whether who asks for a session that was kept may use it. */
  type Admits = (kept: Kept) => Effect.Effect<boolean>
  type Taken = Session.Session<R> | "full" | "refused" | undefined

  const revive = Effect.fnUntraced(function* (id: string, kept: Kept, converse: Converse) {
    const scope = yield* Scope.make()
    let revived: Taken
    yield* Effect.onExit(
      Effect.map(begin(converse(kept), makeLine(), scope), (begun) => {
        const { snapshot, ...rest } = kept
        revived = add(id, begun, rest, snapshot.revision)
      }),
      (exit) => (revived === undefined ? Scope.close(scope, exit) : Effect.void)
    )
    return revived
  })
  const takeUpAlone = Effect.fnUntraced(function* (
    id: string,
    admits: Admits,
    converse: Converse
  ): Effect.fn.Return<Taken> {
    const kept = yield* store?.get(id) ?? Effect.undefined
    if (kept === undefined) return undefined
    // nobody has a session of another begun in their name
    if (!(yield* admits(kept))) return "refused"
    if (!(yield* reserve)) return "full"
    return yield* Effect.ensuring(revive(id, kept, converse), release)
  })
  const taking = new Map<string, Deferred.Deferred<Taken | "left">>()
  /** A session that lives elsewhere, or did before a restart: taken up once, whoever else asks for it meanwhile. */
  const takeUp = (id: string, admits: Admits, converse: Converse): Effect.Effect<Taken> =>
    Effect.suspend(() => {
      const already = live.get(id)
      if (already !== undefined) return Effect.succeed(already)
      const other = taking.get(id)
      if (other !== undefined) {
        return Effect.flatMap(Deferred.await(other), (taken) =>
          taken === "left" ? takeUp(id, admits, converse) : Effect.succeed(taken)
        )
      }
      const taken = Deferred.makeUnsafe<Taken | "left">()
      taking.set(id, taken)
      return Effect.onExit(takeUpAlone(id, admits, converse), (exit) =>
        Effect.sync(() => {
          taking.delete(id)
          // its client may leave before it has it, or have no right to it
          const isTold = Exit.isSuccess(exit) && exit.value !== "refused"
          Deferred.doneUnsafe(taken, Exit.succeed(isTold ? exit.value : "left"))
        })
      )
    })
  return {
    /** Takes a place for one more, where there is room once those that have idled are gone; it must be given back. */
    reserve,
    /** Gives a place back, whether there is a session in it now or not. */
    release,
    open: Effect.fnUntraced(function* (begun: Begun<R>, kept: Omit<Kept, "snapshot">) {
      const { revision } = yield* begun.conversation.snapshot
      const id = crypto.randomUUID()
      const session = add(id, begun, kept, revision)
      // nobody will ever ask for one whose id was not said
      yield* Effect.onExit(save(session), (exit) => Effect.sync(() => (Exit.isSuccess(exit) ? undefined : drop(id))))
      return session
    }),
    /** The session with this id that lives here; one that has idled for too long is as good as gone. */
    find: (id: string): Session.Session<R> | undefined => {
      const session = live.get(id)
      if (session === undefined || !isIdle(session)) return session
      drop(id)
      run(end(session))
      return undefined
    },
    /** The session with this id that was kept, where any are. */
    takeUp: store === undefined ? undefined : takeUp,
    now,
    save,
    mannerOf,
    remove: (session: Session.Session<R>): Effect.Effect<void> =>
      Effect.suspend(() => {
        const id = session.id ?? ""
        drop(id)
        return Effect.andThen(store?.remove(id) ?? Effect.void, end(session))
      }),
    /** Ends all of them here; what a store keeps of them stays. */
    closeAll: Effect.suspend(() => {
      reaper?.interruptUnsafe()
      reaper = undefined
      const all = [...live.values()]
      live.clear()
      return Effect.forEach(all, Session.close, { discard: true })
    }),
    /** Ends what has no end of its own. */
    hush: Effect.suspend(() =>
      Effect.forEach([...live.values()], ({ standalone }) => standalone.close(), { discard: true })
    ),
    /** What is being answered. */
    running: (): ReadonlyArray<Fiber.Fiber<unknown>> => [...live.values()].flatMap(({ running }) => running.values()),
    size: () => live.size
  }
}

export type Sessions<R> = ReturnType<typeof make<R>>
