import { EventStream, type HttpResponse, type KeepAlive } from "@effective-mcp/http"
import type { JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { EventStore } from "./EventStore.ts"
import { JSON_TYPE } from "./refuse.ts"
import { toText } from "./toText.ts"

/** How the channels of a session behave. */
export interface Manner {
  readonly keepAlive: KeepAlive.KeepAlive
  /** Beats for readers that what is said waits for. */
  readonly stalled: KeepAlive.KeepAlive
  /** Whether an answer is one JSON text, whatever is said before it. */
  readonly json: boolean
  /** Where what is said is kept, under which name of the session. */
  readonly events: { readonly store: EventStore; readonly session: string } | undefined
  /** Whether a stream may begin with an event that only has an id, and close before its last word. */
  readonly polling: boolean
  readonly retryMs: number
}

/** Says again what a stream has said after an event; false when that event is not kept. */
export const replay = (
  { session, store }: NonNullable<Manner["events"]>,
  stream: string,
  id: string,
  response: HttpResponse,
  stalled: Manner["stalled"]
): Effect.Effect<boolean> =>
  Effect.flatMap(store.after(session, stream, id), (events) => {
    if (events === undefined) return Effect.succeed(false)
    response.head(200, EventStream.headers)
    response.offer(EventStream.comment)
    return Effect.as(
      Effect.forEach(events, (event) => response.write(EventStream.encode(event), stalled), { discard: true }),
      true
    )
  })

/**
 * One stream of a session: the answer to one POST, or a standalone one. Where events are kept it outlives its
 * connection, and another may take over; else what is said while nobody listens is lost.
 */
export class Channel {
  readonly name: string
  private readonly manner: Manner
  private readonly json: boolean
  private readonly events: Manner["events"]
  private readonly polling: boolean
  private readonly locked: (<A>(effect: Effect.Effect<A>) => Effect.Effect<A>) | undefined
  private to: HttpResponse | undefined
  /** The connection that is being told what was missed, and the last that wants to be. */
  private told: HttpResponse | undefined
  private latest: HttpResponse | undefined
  /** Whether the connection has its head. */
  private isOpen = false
  /** Whether there are events. */
  private isBegun = false
  private isOver = false
  private ids = 0
  private silent = 0
  private release: (() => void) | undefined

  constructor(name: string, first: HttpResponse, manner: Manner, json: boolean = manner.json) {
    this.name = name
    this.manner = manner
    this.json = json
    this.to = first
    this.events = json ? undefined : manner.events
    this.polling = manner.polling && this.events !== undefined
    this.locked = this.events === undefined ? undefined : Semaphore.makeUnsafe(1).withPermits(1)
    manner.keepAlive.add(this)
  }

  /** Whether somebody hears what is said, now or later. */
  isHeard(): boolean {
    return !this.isOver && !this.json && (this.to !== undefined || (this.isBegun && this.events !== undefined))
  }

  /** Whether it has a connection. */
  isAttached(): boolean {
    return !this.isOver && this.to !== undefined
  }

  readonly say = (message: JsonRpc.Message): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (this.isOver || this.json) return Effect.void
      const text = toText(message)
      if (text === undefined) return Effect.logError("a message could not be written")
      const { events, locked } = this
      if (events === undefined || locked === undefined) return this.put(text)
      return locked(
        Effect.andThen(
          this.prime(events),
          Effect.flatMap(this.append(events, text), (id) => this.put(text, id))
        )
      )
    })

  /** Begins the stream before anything is said. */
  begin(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { events, locked } = this
      if (events === undefined || locked === undefined || !this.polling) {
        this.open()
        // a head alone may be held back until something follows it
        this.to?.offer(EventStream.comment)
        return Effect.void
      }
      return locked(Effect.suspend(() => (this.isOver ? Effect.void : this.prime(events))))
    })
  }

  /** The last word; without a text the stream ends without one. */
  finish(text?: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.isOver) return Effect.void
      const { events, locked } = this
      // without a last word nobody is waited for, least of all a reader that does not read
      if (events === undefined || locked === undefined || text === undefined) {
        this.end(text)
        return Effect.void
      }
      return locked(
        Effect.suspend(() => {
          if (this.isOver) return Effect.void
          return this.isBegun
            ? Effect.map(this.append(events, text), (id) => this.end(text, id))
            : Effect.sync(() => this.end(text))
        })
      )
    })
  }

  /** Waits until a connection has nothing more to hear from it. Who interrupts it has to say that its client has left. */
  listen(response: HttpResponse): Effect.Effect<void> {
    return Effect.callback((resume) => {
      // another may have taken over by now
      if (this.to === response) this.release = () => resume(Effect.void)
      else resume(Effect.void)
    })
  }

  /** The client of a connection has left. */
  leave(response: HttpResponse): void {
    if (this.to === response) this.detach()
  }

  /** Closes the connection, and not the channel. */
  close(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { events, locked } = this
      if (events === undefined || locked === undefined || !this.polling) return Effect.void
      return locked(
        Effect.andThen(
          this.prime(events),
          Effect.sync(() => {
            if (this.isOver) return
            const last = this.to
            this.detach()
            last?.end()
          })
        )
      )
    })
  }

  /** Says what was missed on a new connection, and goes on there. False when that is not kept any more. */
  resume(response: HttpResponse, id: string): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const { events, locked } = this
      if (events === undefined || locked === undefined) return Effect.succeed(false)
      const before = this.to
      this.detach()
      this.latest = response
      // also frees who waits for them to take what they were told
      before?.end()
      this.told?.end()
      return locked(Effect.suspend(() => this.takeUp(events, response, id)))
    })
  }

  /** Tells a connection what it has missed, and goes on there, unless another wants to be told by now. */
  private takeUp(events: NonNullable<Manner["events"]>, response: HttpResponse, id: string): Effect.Effect<boolean> {
    if (this.latest !== response) {
      response.head(200, EventStream.headers)
      response.end()
      return Effect.succeed(true)
    }
    this.told = response
    return Effect.map(replay(events, this.name, id, response, this.manner.stalled), (isKept) => {
      if (!isKept) return false
      if (this.isOver || this.latest !== response) response.end()
      else {
        this.to = response
        this.isOpen = true
        this.manner.keepAlive.add(this)
      }
      return true
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          this.told = undefined
        })
      )
    )
  }

  beat(): void {
    this.silent++
    // an answer may still come whole
    if (!this.isOpen && (this.silent < 2 || this.json)) return
    this.open()
    this.to?.offer(EventStream.comment)
  }

  /** Nobody listens any more. */
  private detach(): void {
    this.to = undefined
    this.manner.keepAlive.remove(this)
    const go = this.release
    this.release = undefined
    go?.()
  }

  private open(): void {
    if (this.isOpen) return
    this.isOpen = true
    this.to?.head(200, EventStream.headers)
  }

  private append({ session, store }: NonNullable<Manner["events"]>, data: string): Effect.Effect<string> {
    return Effect.suspend(() => {
      const id = `${this.name}.${++this.ids}`
      return Effect.as(store.append(session, this.name, { id, data }), id)
    })
  }

  private put(data: string, id?: string): Effect.Effect<void> {
    if (this.to === undefined) return Effect.void
    this.open()
    return this.to.write(EventStream.encode({ data, id }), this.manner.stalled)
  }

  /** Gives a client something to come back with, before anything else. */
  private prime(events: NonNullable<Manner["events"]>): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.isBegun) return Effect.void
      this.isBegun = true
      if (!this.polling) return Effect.void
      return Effect.flatMap(this.append(events, ""), (id) => {
        this.open()
        const first = EventStream.encode({ data: "", id, retryMs: this.manner.retryMs })
        return this.to?.write(first, this.manner.stalled) ?? Effect.void
      })
    })
  }

  private end(text: string | undefined, id?: string): void {
    const { to } = this
    this.isOver = true
    this.told?.end()
    if (to !== undefined) {
      if (text === undefined && !this.isOpen && this.json) to.whole(202, {})
      else if (text === undefined) {
        this.open()
        to.end()
      } else if (this.isOpen) to.end(EventStream.encode({ data: text, id }))
      else to.whole(200, JSON_TYPE, text)
    }
    this.detach()
  }
}
