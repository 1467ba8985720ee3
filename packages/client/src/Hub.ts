import {
  Invalid,
  type JsonRpc,
  limits,
  type LogMessage,
  type NotificationCodec,
  type NotificationMethod,
  type Notifications,
  type Revision
} from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"

/** What of a server is a list that may change. */
export type List = "tools" | "prompts" | "resources"

/** A list, or a resource, that is not what it was. */
export type ServerChange =
  | { readonly _tag: "ListChanged"; readonly list: List }
  | { readonly _tag: "Updated"; readonly uri: string }

/**
 * What a server says outside the requests of its client. `Missed` is not said by it: its own stream is read again after
 * a break, in which changes may have been lost.
 */
export type Heard =
  | ServerChange
  | { readonly _tag: "Missed" }
  | { readonly _tag: "Logged"; readonly message: LogMessage }
  | { readonly _tag: "ElicitationCompleted"; readonly elicitationId: string }

/**
 * Where all that a server says unasked is told, from one session to the next. Listeners are called in the turn in which
 * it is heard, and do not wait; what one throws keeps nothing from the others. What each returns takes it out again.
 */
export interface Hub {
  /** Hears what comes anyway: over legacy HTTP that may be nothing. */
  readonly onHeard: (hear: (heard: Heard) => void) => () => void
  /** The same; `onEnd` is called when the client has ended. */
  readonly follow: (hear: (heard: Heard) => void, onEnd: () => void) => () => void
  /** Hears, and has the server's own stream read for it. `onEnd` is called when the client has ended. */
  readonly listen: (hear: (heard: Heard) => void, onEnd?: () => void) => () => void
  /** Has the server's own stream read from now on, as whoever answers questions needs it. */
  readonly want: () => void
  /** Completes once the server's own stream is to be read. */
  readonly wanted: Effect.Effect<void>
  readonly tell: (heard: Heard) => void
  readonly end: () => void
}

type Reading = (revision: Revision, params: JsonRpc.JsonObject) => Heard | undefined

const reading =
  <N extends NotificationMethod>(method: N, toHeard: (params: Notifications[N]) => Heard): Reading =>
  (revision, params) => {
    const codec: NotificationCodec<Notifications[N]> | undefined = revision.notifications.fromServer[method]
    const read = codec?.decodeParams(params)
    return read === undefined || read instanceof Invalid ? undefined : toHeard(read)
  }
const listChanged = (list: List): Reading =>
  reading(`notifications/${list}/list_changed`, () => ({ _tag: "ListChanged", list }))

const readings: ReadonlyMap<string, Reading> = new Map([
  ["notifications/tools/list_changed", listChanged("tools")],
  ["notifications/prompts/list_changed", listChanged("prompts")],
  ["notifications/resources/list_changed", listChanged("resources")],
  [
    "notifications/resources/updated",
    reading("notifications/resources/updated", ({ uri }) => ({ _tag: "Updated", uri }))
  ],
  ["notifications/message", reading("notifications/message", (message) => ({ _tag: "Logged", message }))],
  [
    "notifications/elicitation/complete",
    reading("notifications/elicitation/complete", ({ elicitationId }) => ({
      _tag: "ElicitationCompleted",
      elicitationId
    }))
  ]
])

/**
 * What a notification tells, in a revision; undefined for one that it does not know, or that is not as it says. Nobody who
 * hears it can change it.
 */
export const read = (revision: Revision, { method, params = {} }: JsonRpc.Notification): Heard | undefined =>
  Object.freeze(readings.get(method)?.(revision, params))

/** `onFault` is told of what a listener throws. */
export const make = (onFault: (cause: unknown) => void = () => {}): Hub => {
  const all = new Set<{ readonly hear: (heard: Heard) => void; readonly onEnd?: (() => void) | undefined }>()
  const wanted = Deferred.makeUnsafe<void>()
  let isOver = false
  const want = (): void => {
    Deferred.doneUnsafe(wanted, Effect.void)
  }
  const onHeard: Hub["listen"] = (hear, onEnd) => {
    const one = { hear, onEnd }
    all.add(one)
    if (isOver) onEnd?.()
    return () => void all.delete(one)
  }
  return {
    onHeard,
    follow: onHeard,
    listen: (hear, onEnd) => {
      const stop = onHeard(hear, onEnd)
      want()
      return stop
    },
    want,
    wanted: Deferred.await(wanted),
    tell: (heard) => {
      for (const { hear } of all) {
        try {
          hear(heard)
        } catch (cause) {
          onFault(cause)
        }
      }
    },
    end: () => {
      isOver = true
      for (const { onEnd } of all) onEnd?.()
    }
  }
}

/**
 * What `pick` takes of all that is heard, from when the stream is run until its client ends. A reader that is behind by
 * `most` loses the oldest.
 */
export const follow = <A>(
  hub: Hub,
  pick: (heard: Heard) => A | undefined,
  most: number = limits.unheard
): Stream.Stream<A> =>
  Stream.callback<A>(
    (queue) =>
      Effect.acquireRelease(
        Effect.sync(() =>
          hub.listen(
            (heard) => {
              const picked = pick(heard)
              if (picked !== undefined) Queue.offerUnsafe(queue, picked)
            },
            () => Queue.endUnsafe(queue)
          )
        ),
        (stop) => Effect.sync(stop)
      ),
    { bufferSize: most, strategy: "sliding" }
  )
