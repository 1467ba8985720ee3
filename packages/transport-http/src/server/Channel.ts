import { EventStream, type HttpResponse } from "@effective-mcp/http"
import type { JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { EventStore } from "./EventStore.ts"
import type { KeepAlive } from "./KeepAlive.ts"
import { JSON_TYPE } from "./refuse.ts"
import { toText } from "./toText.ts"

/** How the channels of a session behave. */
export interface Manner {
  readonly keepAlive: KeepAlive
  /** Whether an answer is one JSON text, whatever is said before it. */
  readonly json: boolean
  /** Where what is said is kept, under which name of the session. */
  readonly events: { readonly store: EventStore; readonly session: string } | undefined
  /** Whether a stream may begin with an event that only has an id, and close before its last word. */
  readonly polling: boolean
  readonly retryMs: number
}

/**
 * One stream of a session: the answer to one POST, or a standalone one. Where events are kept it outlives its
 * connection, and another may take over; else what is said while nobody listens is lost.
 */
export interface Channel {
  readonly name: string
  /** Whether somebody hears what is said, now or later. */
  readonly isHeard: () => boolean
  /** Whether it has a connection. */
  readonly isAttached: () => boolean
  readonly say: (message: JsonRpc.Message) => Effect.Effect<void>
  /** Begins the stream before anything is said. */
  readonly begin: Effect.Effect<void>
  /** The last word; without a text the stream ends without one. */
  readonly finish: (text?: string) => Effect.Effect<void>
  /** Waits until a connection has nothing more to hear from it; when interrupted, its client has left. */
  readonly listen: (response: HttpResponse) => Effect.Effect<void>
  /** The client of a connection has left. */
  readonly leave: (response: HttpResponse) => void
  /** Closes the connection, and not the channel. */
  readonly close: Effect.Effect<void>
  /** Says what was missed on a new connection, and goes on there. False when that is not kept any more. */
  readonly resume: (response: HttpResponse, id: string) => Effect.Effect<boolean>
}

/** Says again what a stream has said after an event; false when that event is not kept. */
export const replay = (
  { session, store }: NonNullable<Manner["events"]>,
  stream: string,
  id: string,
  response: HttpResponse
): Effect.Effect<boolean> =>
  Effect.flatMap(store.after(session, stream, id), (events) => {
    if (events === undefined) return Effect.succeed(false)
    response.head(200, EventStream.headers)
    response.offer(EventStream.comment)
    return Effect.as(
      Effect.forEach(events, (event) => response.write(EventStream.encode(event)), { discard: true }),
      true
    )
  })

export const make = (name: string, first: HttpResponse, manner: Manner): Channel => {
  const { json, keepAlive, retryMs } = manner
  const events = json ? undefined : manner.events
  const polling = manner.polling && events !== undefined
  const locked = events === undefined ? undefined : Semaphore.makeUnsafe(1).withPermits(1)
  let to: HttpResponse | undefined = first
  /** The connection that is being told what was missed, and the last that wants to be. */
  let told: HttpResponse | undefined
  let latest: HttpResponse | undefined
  /** Whether the connection has its head. */
  let isOpen = false
  /** Whether there are events. */
  let isBegun = false
  let isOver = false
  let ids = 0
  let silent = 0
  let release: (() => void) | undefined

  /** Nobody listens any more. */
  const detach = (): void => {
    to = undefined
    keepAlive.remove(beat)
    const go = release
    release = undefined
    go?.()
  }
  const open = (): void => {
    if (isOpen) return
    isOpen = true
    to?.head(200, EventStream.headers)
  }
  const beat = (): void => {
    silent++
    // an answer may still come whole
    if (!isOpen && (silent < 2 || json)) return
    open()
    to?.offer(EventStream.comment)
  }
  const append = ({ session, store }: NonNullable<Manner["events"]>, data: string): Effect.Effect<string> =>
    Effect.suspend(() => {
      const id = `${name}.${++ids}`
      return Effect.as(store.append(session, name, { id, data }), id)
    })
  const put = (data: string, id?: string): Effect.Effect<void> => {
    if (to === undefined) return Effect.void
    open()
    return to.write(EventStream.encode({ data, id }))
  }
  /** Gives a client something to come back with, before anything else. */
  const prime = Effect.suspend(() => {
    if (isBegun || events === undefined) return Effect.void
    isBegun = true
    if (!polling) return Effect.void
    return Effect.flatMap(append(events, ""), (id) => {
      open()
      return to?.write(EventStream.encode({ data: "", id, retryMs })) ?? Effect.void
    })
  })
  const say = (data: string): Effect.Effect<void> => {
    if (events === undefined || locked === undefined) return put(data)
    return locked(
      Effect.andThen(
        prime,
        Effect.flatMap(append(events, data), (id) => put(data, id))
      )
    )
  }
  const end = (text: string | undefined, id?: string): void => {
    isOver = true
    told?.end()
    if (to !== undefined) {
      if (text === undefined && !isOpen && json) to.whole(202, {})
      else if (text === undefined) {
        open()
        to.end()
      } else if (isOpen) to.end(EventStream.encode({ data: text, id }))
      else to.whole(200, JSON_TYPE, text)
    }
    detach()
  }
  const leave = (response: HttpResponse): void => {
    if (to === response) detach()
  }
  keepAlive.add(beat)

  return {
    name,
    isHeard: () => !isOver && !json && (to !== undefined || (isBegun && events !== undefined)),
    isAttached: () => !isOver && to !== undefined,
    say: (message) =>
      Effect.suspend(() => {
        if (isOver || json) return Effect.void
        const text = toText(message)
        return text === undefined ? Effect.logError("a message could not be written") : say(text)
      }),
    begin: Effect.suspend(() => {
      if (locked === undefined || !polling) {
        open()
        // a head alone may be held back until something follows it
        to?.offer(EventStream.comment)
        return Effect.void
      }
      return locked(Effect.suspend(() => (isOver ? Effect.void : prime)))
    }),
    finish: (text) =>
      Effect.suspend(() => {
        if (isOver) return Effect.void
        // without a last word nobody is waited for, least of all a reader that does not read
        if (events === undefined || locked === undefined || text === undefined) return Effect.sync(() => end(text))
        return locked(
          Effect.suspend(() => {
            if (isOver) return Effect.void
            return isBegun ? Effect.map(append(events, text), (id) => end(text, id)) : Effect.sync(() => end(text))
          })
        )
      }),
    listen: (response) =>
      Effect.callback((resume) => {
        // another may have taken over by now
        if (to !== response) return resume(Effect.void)
        release = () => resume(Effect.void)
        return Effect.sync(() => leave(response))
      }),
    leave,
    close: Effect.suspend(() => {
      if (locked === undefined || !polling) return Effect.void
      return locked(
        Effect.andThen(
          prime,
          Effect.sync(() => {
            if (isOver) return
            const last = to
            detach()
            last?.end()
          })
        )
      )
    }),
    resume: (response, id) =>
      Effect.suspend(() => {
        if (events === undefined || locked === undefined) return Effect.succeed(false)
        const before = to
        detach()
        latest = response
        // also frees who waits for them to take what they were told
        before?.end()
        told?.end()
        return locked(
          Effect.suspend(() => {
            if (latest !== response) {
              response.head(200, EventStream.headers)
              response.end()
              return Effect.succeed(true)
            }
            told = response
            return Effect.map(replay(events, name, id, response), (isKept) => {
              if (!isKept) return false
              if (isOver || latest !== response) response.end()
              else {
                to = response
                isOpen = true
                keepAlive.add(beat)
              }
              return true
            }).pipe(
              Effect.ensuring(
                Effect.sync(() => {
                  told = undefined
                })
              )
            )
          })
        )
      })
  }
}
