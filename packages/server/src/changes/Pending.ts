import type { Change, List } from "../Changes.ts"

const LISTS: ReadonlyArray<List> = ["tools", "resources", "prompts"]
const none: ReadonlyArray<List> = []

/**
 * What one client has still to be told. A change that already waits to be told is not told twice, so that no more can
 * wait than the client has asked for, and nothing is ever dropped: lists first, then resources in the order in which
 * they first changed.
 */
export class Pending {
  // most of the time there is nothing, and then it takes no room
  private lists = none
  private uris: Set<string> | undefined
  private wake: (() => void) | undefined

  get size(): number {
    return this.lists.length + (this.uris?.size ?? 0)
  }

  add(change: Change): void {
    if (change._tag === "Updated") (this.uris ??= new Set()).add(change.uri)
    else if (!this.lists.includes(change.list)) this.lists = [...this.lists, change.list]
    const wake = this.wake
    this.wake = undefined
    wake?.()
  }

  /** Calls once there is something to tell; at most one waits. */
  onFilled(wake: (() => void) | undefined): void {
    this.wake = wake
    if (wake === undefined || this.size === 0) return
    this.wake = undefined
    wake()
  }

  take(): ReadonlyArray<Change> {
    const changes: Array<Change> = []
    for (const list of LISTS) if (this.lists.includes(list)) changes.push({ _tag: "ListChanged", list })
    for (const uri of this.uris ?? []) changes.push({ _tag: "Updated", uri })
    this.lists = none
    this.uris = undefined
    return changes
  }

  /** Forgets what is to be told of one resource. */
  forget(uri: string): void {
    this.uris?.delete(uri)
  }
}
