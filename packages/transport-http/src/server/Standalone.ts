import { type JsonRpc, limits } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Channel } from "./Channel.ts"

/** What a session says outside any exchange: each message on one of its streams, the newest that has a connection. */
export class Standalone {
  /** The newest last. */
  private channels: ReadonlyArray<Channel> | undefined
  /** The oldest goes first when there are too many. */
  private backlog: Array<JsonRpc.Message> | undefined

  /** Whether somebody hears what is said. */
  isHeard(): boolean {
    return this.current() !== undefined
  }

  say(message: JsonRpc.Message): Effect.Effect<void> {
    return Effect.suspend(() => {
      const channel = this.current()
      if (channel !== undefined) return channel.say(message)
      this.backlog ??= []
      this.backlog.push(message)
      if (this.backlog.length > limits.sessionBacklog) this.backlog.shift()
      return Effect.void
    })
  }

  /** Adds a stream; it says first what nobody has heard yet. */
  add(channel: Channel): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { backlog: waiting = [], channels: all = [] } = this
      const tooMany = all.length >= limits.sessionStreams ? all[0] : undefined
      this.channels = [...(tooMany === undefined ? all : all.slice(1)), channel]
      this.backlog = undefined
      const said = Effect.forEach(waiting, channel.say, { discard: true })
      return tooMany === undefined ? said : Effect.andThen(tooMany.finish(), said)
    })
  }

  /** The connection of a stream is gone; one whose events are kept may come back. */
  settle(channel: Channel): void {
    if (!channel.isHeard()) this.channels = this.channels?.filter((each) => each !== channel)
  }

  close(): Effect.Effect<void> {
    return Effect.suspend(() => Effect.forEach(this.channels ?? [], (channel) => channel.finish(), { discard: true }))
  }

  private current(): Channel | undefined {
    const all = this.channels
    return all?.findLast((channel) => channel.isAttached()) ?? all?.findLast((channel) => channel.isHeard())
  }
}
