import { type JsonRpc, limits } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Channel } from "./Channel.ts"

/** What a session says outside any exchange: each message on one of its streams, the newest that has a connection. */
export interface Standalone {
  readonly say: (message: JsonRpc.Message) => Effect.Effect<void>
  /** Whether somebody hears what is said. */
  readonly isHeard: () => boolean
  /** Adds a stream; it says first what nobody has heard yet. */
  readonly add: (channel: Channel) => Effect.Effect<void>
  /** The connection of a stream is gone; one whose events are kept may come back. */
  readonly settle: (channel: Channel) => void
  readonly close: Effect.Effect<void>
}

export const make = (): Standalone => {
  /** The newest last. */
  let channels: Array<Channel> = []
  /** The oldest goes first when there are too many. */
  let backlog: Array<JsonRpc.Message> = []

  const current = (): Channel | undefined =>
    channels.findLast((channel) => channel.isAttached()) ?? channels.findLast((channel) => channel.isHeard())
  return {
    isHeard: () => current() !== undefined,
    say: (message) =>
      Effect.suspend(() => {
        const channel = current()
        if (channel !== undefined) return channel.say(message)
        backlog.push(message)
        if (backlog.length > limits.sessionBacklog) backlog.shift()
        return Effect.void
      }),
    add: (channel) =>
      Effect.suspend(() => {
        const tooMany = channels.length >= limits.sessionStreams ? channels.shift() : undefined
        channels.push(channel)
        const waiting = backlog
        backlog = []
        const ended = tooMany === undefined ? Effect.void : tooMany.finish()
        return Effect.andThen(ended, Effect.forEach(waiting, channel.say, { discard: true }))
      }),
    settle: (channel) => {
      if (!channel.isHeard()) channels = channels.filter((each) => each !== channel)
    },
    close: Effect.suspend(() => Effect.forEach(channels, (channel) => channel.finish(), { discard: true }))
  }
}
