import type { Conversation, Handler, JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { Line } from "./back.ts"
import type { Channel, Manner } from "./Channel.ts"
import type { Kept } from "./SessionStore.ts"
import { Sparse } from "./Sparse.ts"

/** One legacy session, as long as it lives here. */
export interface Session<R> extends Line {
  /** Undefined for the conversation of one request. */
  readonly id: string | undefined
  /** Names its streams, and is no secret. */
  readonly tag: string
  /** Who opened it, and from which web origin, where that is known. */
  readonly owner: string | undefined
  readonly origin: string | undefined
  readonly scope: Scope.Closeable
  readonly conversation: Conversation<R>
  /** How its channels behave. */
  readonly manner: Manner
  /** Its revision, once that is agreed on. */
  readonly revision: string | undefined
  /** Answers what belongs to no request. */
  readonly standing: Handler<R>
  /** Requests that are being answered. */
  readonly running: Sparse<JsonRpc.RequestId, Fiber.Fiber<unknown>>
  /** Streams that have not ended. */
  readonly channels: Sparse<string, Channel>
  /** When it was last used, and what uses it now. */
  usedAt: number
  busy: number
  /** Streams so far. */
  streams: number
  /** The snapshot that was kept last, as text, and when. */
  saved: string
  savedAt: number
}

export type Parts<R> = Omit<Kept, "snapshot"> &
  Pick<
    Session<R>,
    "id" | "tag" | "scope" | "conversation" | "standing" | "standalone" | "asked" | "manner" | "revision" | "usedAt"
  >

export const make = <R>(parts: Parts<R>): Session<R> => ({
  id: parts.id,
  tag: parts.tag,
  scope: parts.scope,
  conversation: parts.conversation,
  standing: parts.standing,
  standalone: parts.standalone,
  asked: parts.asked,
  manner: parts.manner,
  owner: parts.owner,
  origin: parts.origin,
  revision: parts.revision,
  usedAt: parts.usedAt,
  running: new Sparse(),
  channels: new Sparse(),
  busy: 0,
  streams: 0,
  saved: "",
  savedAt: 0
})

/** Ends it: what runs is interrupted, what is open ends, what is asked stays without an answer. */
export const close = <R>(session: Session<R>): Effect.Effect<void> =>
  Effect.suspend(() => {
    for (const fiber of session.running.values()) fiber.interruptUnsafe()
    return Effect.andThen(
      Effect.forEach(session.channels.values(), (channel) => channel.finish(), { discard: true }),
      Scope.close(session.scope, Exit.void)
    )
  })

/** The name of a new stream of a session. */
export const nameStream = <R>(session: Session<R>): string => `${session.tag}-${++session.streams}`

const EVENT = /^([\w-]{1,64})\.\d{1,15}$/

/** The stream that an event id belongs to; undefined for one of another session, or none at all. */
export const streamOf = <R>({ tag }: Session<R>, eventId: string): string | undefined => {
  const stream = EVENT.exec(eventId)?.[1]
  return stream?.startsWith(`${tag}-`) === true ? stream : undefined
}
