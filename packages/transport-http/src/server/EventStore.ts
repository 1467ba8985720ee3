import { limits } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"

/** One event of a stream: its id, and its data; an event without data is there for its id alone. */
export interface Event {
  readonly id: string
  readonly data: string
}

/**
 * Keeps what was said on the streams of legacy sessions, so that a client which lost its connection hears the rest.
 * Sessions and streams go by names that are no secrets, and no two streams have the same; events of one stream come in
 * order, one at a time. `EventStoreContract` of `@effective-mcp/testkit` tries a store of your own.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
export interface EventStore {
  /** Keeps an event as the last of its stream; older ones may go for it. */
  readonly append: (session: string, stream: string, event: Event) => Effect.Effect<void>
  /** What a stream has said after one of its events; undefined when that event is not kept. */
  readonly after: (session: string, stream: string, id: string) => Effect.Effect<ReadonlyArray<Event> | undefined>
  /** Forgets all streams of a session. */
  readonly forget: (session: string) => Effect.Effect<void>
}

export interface MemoryOptions {
  /** Events kept of one stream; the oldest go first. Default 1,000. */
  readonly events?: number | undefined
  /** Bytes kept in all, about; streams that have been silent longest go first. Default 64 MiB. */
  readonly bytes?: number | undefined
}

interface Log {
  readonly session: string
  readonly events: Array<Event>
  bytes: number
}

/** Bytes of an event, about. */
const weigh = ({ data, id }: Event): number => data.length + id.length + 64
/** Bytes of a stream besides its events, about. */
const STREAM = 400

/** An event store in this process. */
export const memory = ({
  bytes: most = limits.eventBytes,
  events: mostOfOne = limits.streamEvents
}: MemoryOptions = {}): EventStore => {
  /** In order of their last event. */
  const logs = new Map<string, Log>()
  const sessions = new Map<string, Set<string>>()
  let bytes = 0

  const drop = (stream: string): void => {
    const log = logs.get(stream)
    if (log === undefined) return
    logs.delete(stream)
    bytes -= log.bytes
    const streams = sessions.get(log.session)
    streams?.delete(stream)
    if (streams?.size === 0) sessions.delete(log.session)
  }
  const shorten = (log: Log): void => {
    const first = log.events.shift()
    if (first === undefined) return
    log.bytes -= weigh(first)
    bytes -= weigh(first)
  }
  const logOf = (session: string, stream: string): Log => {
    const known = logs.get(stream)
    const log = known ?? { session, events: [], bytes: STREAM }
    if (known === undefined) bytes += STREAM
    logs.delete(stream)
    logs.set(stream, log)
    const streams = sessions.get(session)
    if (streams === undefined) sessions.set(session, new Set([stream]))
    else streams.add(stream)
    return log
  }
  return {
    append: (session, stream, event) =>
      Effect.sync(() => {
        const log = logOf(session, stream)
        log.events.push(event)
        log.bytes += weigh(event)
        bytes += weigh(event)
        if (log.events.length > mostOfOne) shorten(log)
        for (const oldest of logs.keys()) {
          if (bytes <= most || oldest === stream) break
          drop(oldest)
        }
        while (bytes > most && log.events.length > 1) shorten(log)
      }),
    after: (session, stream, id) =>
      Effect.sync(() => {
        const log = logs.get(stream)
        if (log === undefined || log.session !== session) return undefined
        const at = log.events.findIndex((event) => event.id === id)
        return at < 0 ? undefined : log.events.slice(at + 1)
      }),
    forget: (session) =>
      Effect.sync(() => {
        for (const stream of sessions.get(session) ?? []) drop(stream)
      })
  }
}
