import type { HttpRequest, HttpResponse } from "@effective-mcp/http"
import type { Host } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { Channel, type Manner, replay } from "./Channel.ts"
import type { Endpoint } from "./Endpoint.ts"
import { LAST_EVENT } from "./headers.ts"
import type { HttpCall } from "./HttpCall.ts"
import { touch } from "./legacy.ts"
import { refuse } from "./refuse.ts"
import { nameStream, type Session, streamOf } from "./Session.ts"
import type { Sessions } from "./sessions.ts"
import { withSession } from "./withSession.ts"

/** A new standalone stream, for as long as its client listens; `after` comes at its end. */
const open = <R>(session: Session<R>, response: HttpResponse, after: () => void): Effect.Effect<void> =>
  Effect.suspend(() => {
    const channel = new Channel(nameStream(session), response, session.manner, false)
    const { channels, standalone } = session
    for (const each of channels.values()) if (!each.isHeard()) channels.delete(each.name)
    channels.set(channel.name, channel)
    const listening = channel.begin().pipe(
      Effect.andThen(standalone.add(channel)),
      Effect.andThen(() => channel.listen(response))
    )
    return Effect.onExit(listening, () => {
      channel.leave(response)
      standalone.settle(channel)
      if (!channel.isHeard()) channels.delete(channel.name)
      after()
      return Effect.void
    })
  })

/** The rest of a stream whose connection was lost: what was missed, and then what is still to be said there. */
const resume = <R>(
  session: Session<R>,
  events: NonNullable<Manner["events"]>,
  lastEvent: string,
  response: HttpResponse
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const stream = streamOf(session, lastEvent)
    const channel = stream === undefined ? undefined : session.channels.get(stream)
    const resumed =
      stream === undefined
        ? Effect.succeed(false)
        : (channel?.resume(response, lastEvent) ?? replay(events, stream, lastEvent, response, session.manner.stalled))
    return Effect.flatMap(resumed, (isKept) => {
      if (!isKept) return Effect.sync(() => refuse(response, 400, "Invalid request: Last-Event-ID is not known"))
      return channel === undefined ? Effect.sync(() => response.end()) : channel.listen(response)
    }).pipe(Effect.onInterrupt(() => Effect.sync(() => channel?.leave(response))))
  })

/**
 * Answers a GET: with a standalone stream, or with the rest of any stream of the session.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export const get = <R>(
  endpoint: Endpoint<R>,
  sessions: Sessions<R | HttpCall>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  response: HttpResponse
): Effect.Effect<void, never, R> =>
  withSession(endpoint, sessions, host, http, response, (session) =>
    Effect.suspend(() => {
      const lastEvent = http.header(LAST_EVENT)
      const { events } = session.manner
      session.busy++
      const after = (): void => {
        session.busy--
        touch(endpoint, session)
      }
      return lastEvent === undefined || events === undefined
        ? open(session, response, after)
        : Effect.ensuring(resume(session, events, lastEvent, response), Effect.sync(after))
    })
  )

/** Ends a session at its client's wish. */
export const remove = <R>(
  endpoint: Endpoint<R>,
  sessions: Sessions<R | HttpCall>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  response: HttpResponse
): Effect.Effect<void, never, R> =>
  withSession(endpoint, sessions, host, http, response, (session) =>
    Effect.map(sessions.remove(session), () => response.whole(204, {}))
  )
