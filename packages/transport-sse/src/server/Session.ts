import { HttpCall, type HttpRequest, type HttpResponse, type KeepAlive } from "@effective-mcp/http"
import {
  type Conversation,
  Frame,
  type Handler,
  type Host,
  HttpEra,
  Inbox,
  type JsonRpc,
  limits,
  Peer,
  TransportError
} from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { Outlet } from "./Outlet.ts"

/** Whose a session is. */
export interface Whose {
  readonly owner: string | undefined
  readonly origin: string | undefined
}

export interface Options extends Whose {
  readonly id: string
  readonly messageBytes: number
  /** Beats for readers that others wait for. */
  readonly stalled: KeepAlive.KeepAlive
  readonly now: () => number
  readonly run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
}

/** What came with a message: its request, and what is known of who sent it. */
type Known = Context.Context<never>

const closed = TransportError.make({ _tag: "Closed" })

const isMessage = (entry: JsonRpc.Message | Frame.Malformed): entry is JsonRpc.Message =>
  !(entry instanceof Frame.Malformed)

/** One stream, and the conversation that is held over it. It lasts as long as the stream. */
export class Session<R> {
  readonly id: string
  readonly owner: string | undefined
  readonly origin: string | undefined
  private readonly options: Options
  private readonly outlet: Outlet
  private readonly inbox: Inbox.Inbox<Frame.Frame, TransportError>
  private readonly known = new WeakMap<object, Known>()
  private conversation: Conversation<R> | undefined
  private usedAt: number
  /** Requests that are being answered. */
  private busy = 0
  /** Characters of messages that are not taken up yet. */
  private unread = 0
  /** The same of heavy ones that are not answered because the reader is behind. */
  private held = 0

  constructor(response: HttpResponse, options: Options) {
    const { id, messageBytes, now, origin, owner, run, stalled } = options
    this.id = id
    this.owner = owner
    this.origin = origin
    this.options = options
    this.usedAt = now()
    this.inbox = Inbox.make(() => {
      this.unread = 0
    })
    this.outlet = new Outlet(response, {
      messageBytes,
      stalled,
      run,
      onSend: () => this.touch(),
      onOverflow: (error) => this.inbox.end(error)
    })
  }

  /**
   * Tells the client where to send its messages, and answers them: until it leaves, which interrupts this, or the
   * session is ended from here, which lets what runs come to an end.
   */
  serve(host: Host<R>, endpoint: string): Effect.Effect<void, never, R> {
    const duplex = { incoming: this.inbox.incoming, send: this.outlet.send }
    return Effect.gen({ self: this }, function* () {
      const client = yield* Peer.make(duplex, { answerMalformed: true })
      this.conversation = yield* host.converse()
      const handler = this.conversation.on(client)
      this.outlet.begin(endpoint)
      yield* Peer.serve(client, this.counting(handler))
      yield* this.outlet.flushed
    }).pipe(
      Effect.scoped,
      // whoever reads too slowly is not told so
      Effect.ignore,
      Effect.ensuring(Effect.sync(() => this.outlet.fail(closed)))
    )
  }

  /** Takes up what came in one body; false where too much waits already. */
  hear(frame: JsonRpc.Message | Frame.Batch, size: number, known: Known, http: HttpRequest): boolean {
    if (this.inbox.size() >= limits.unread || this.unread > limits.unreadBytes) return false
    if (this.outlet.isFree()) this.held = 0
    else if (this.held > limits.unreadBytes) return false
    this.touch()
    const call = Context.add(known, HttpCall, { request: http, closeStream: Effect.void })
    for (const message of Frame.isBatch(frame) ? frame.filter(isMessage) : [frame]) {
      this.known.set(message, call)
      this.held += Frame.weightOf(message)
    }
    this.unread += size
    this.inbox.push(frame)
    this.inbox.flush()
    return true
  }

  /** The revision that was agreed on, where that is so. */
  readonly revision: Effect.Effect<string | undefined> = Effect.suspend(() =>
    this.conversation === undefined
      ? Effect.undefined
      : Effect.map(this.conversation.snapshot, ({ revision }) => revision)
  )

  readonly takesBatches: Effect.Effect<boolean> = Effect.suspend(() =>
    Effect.map(this.revision, (revision) => revision !== undefined && HttpEra.allowsBatches(revision))
  )

  isIdle(idleMs: number): boolean {
    return this.busy === 0 && this.options.now() - this.usedAt >= idleMs
  }

  /** Takes no more messages, and ends once those that it has are answered. */
  end(): void {
    this.inbox.end()
  }

  keepAlive(): void {
    this.outlet.comment()
  }

  beat(): void {
    this.outlet.beat()
  }

  private touch(): void {
    this.usedAt = this.options.now()
  }

  /** Answers each message with what came with it among its services. */
  private counting(handler: Handler<R>): Handler<R> {
    const within = <A, R>(message: JsonRpc.Message, effect: Effect.Effect<A, never, R>): Effect.Effect<A, never, R> => {
      const known = this.known.get(message)
      return known === undefined
        ? effect
        : Effect.updateContext(effect, (own: Context.Context<R>) => Context.merge(own, known))
    }
    return {
      notify: (notification) =>
        within(
          notification,
          Effect.suspend(() => handler.notify(notification))
        ),
      exchange: (request, listener) =>
        Effect.suspend(() => {
          this.busy++
          const begin = (): Effect.Effect<JsonRpc.Response, never, R> => {
            this.held = Math.max(0, this.held - Frame.weightOf(request))
            return within(request, handler.exchange(request, listener))
          }
          return Effect.ensuring(
            // whoever does not read what was said is not answered further
            this.outlet.isFree() ? begin() : Effect.flatMap(this.outlet.turn, begin),
            Effect.sync(() => {
              this.busy--
              this.touch()
            })
          )
        })
    }
  }
}
