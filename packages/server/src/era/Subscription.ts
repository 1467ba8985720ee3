import { type JsonRpc, type Lasting, Meta, type SubscriptionFilter } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Change, List } from "../Changes.ts"
import type { Hub, Listening } from "../changes/Hub.ts"
import { Pending } from "../changes/Pending.ts"
import type { Say } from "../Core.ts"

const FLAGS = {
  tools: "toolsListChanged",
  prompts: "promptsListChanged",
  resources: "resourcesListChanged"
} as const satisfies { readonly [L in List]: keyof SubscriptionFilter }

const LIST_CHANGED = {
  tools: "notifications/tools/list_changed",
  prompts: "notifications/prompts/list_changed",
  resources: "notifications/resources/list_changed"
} as const

/** Tells of one change, as every subscription and every legacy session does. */
export const tell = (say: Say, change: Change, meta?: { readonly _meta: JsonRpc.JsonObject }): Effect.Effect<void> =>
  change._tag === "Updated"
    ? say("notifications/resources/updated", { ...meta, uri: change.uri })
    : say(LIST_CHANGED[change.list], { ...meta })

/** What the subscriptions of one server share. */
export interface Room {
  readonly hub: Hub
  open: number
}

/** One that is open: many are at once, for long, and most say nothing. */
export class Subscription implements Listening, Lasting {
  readonly tag: { readonly _meta: JsonRpc.JsonObject }
  private readonly say: Say
  private readonly room: Room
  private readonly chars: number
  private readonly pending = new Pending()
  private granted: SubscriptionFilter = {}
  private uris: ReadonlySet<string> | undefined
  private isOver = false
  private wake: (() => void) | undefined

  constructor(id: JsonRpc.RequestId, say: Say, room: Room, chars: number) {
    this.tag = { _meta: { [Meta.SUBSCRIPTION_ID]: id } }
    this.say = say
    this.room = room
    this.chars = chars
    room.open++
  }

  /** Hears of changes from now on, and says of which ones. */
  attend(granted: SubscriptionFilter): Effect.Effect<void> {
    this.granted = granted
    if (granted.resourceSubscriptions !== undefined) this.uris = new Set(granted.resourceSubscriptions)
    const { hub } = this.room
    return hub.joinOthers(this) ? this.acknowledge() : Effect.flatMap(hub.join(this), () => this.acknowledge())
  }

  private acknowledge(): Effect.Effect<void> {
    return this.say("notifications/subscriptions/acknowledged", { notifications: this.granted, ...this.tag })
  }

  hear(change: Change): void {
    const isWanted = change._tag === "Updated" ? this.uris?.has(change.uri) : this.granted[FLAGS[change.list]]
    if (isWanted === true) this.pending.add(change)
  }

  end(): void {
    this.isOver = true
    this.wake?.()
  }

  leave(): Effect.Effect<void> {
    const { chars, room } = this
    room.open--
    if (chars > 0) room.hub.take(-chars)
    return room.hub.leave(this)
  }

  /** Tells of changes until all is over. */
  rest(): Effect.Effect<void> {
    const filled = Effect.callback<void>((resume) => {
      const wake = (): void => resume(Effect.void)
      this.wake = wake
      if (this.isOver) wake()
      else this.pending.onFilled(wake)
    })
    return Effect.flatMap(filled, () => {
      if (this.isOver) return Effect.void
      const changes = this.pending.take()
      const told =
        changes.length === 1
          ? tell(this.say, changes[0]!, this.tag)
          : Effect.forEach(changes, (change) => tell(this.say, change, this.tag), { discard: true })
      return Effect.flatMap(told, () => this.rest())
    })
  }
}
