import type { Change, List } from "../Changes.ts"

const LISTS: ReadonlyArray<List> = ["tools", "resources", "prompts"]

/**
 * What one client has still to be told. A change that already waits to be told is not told twice, so that no more can
 * wait than the client has asked for, and nothing is ever dropped: lists first, then resources in the order in which
 * they first changed.
 */
export class Pending {
  private readonly lists = new Set<List>()
  private readonly uris = new Set<string>()
  private wake: (() => void) | undefined

  get size(): number {
    return this.lists.size + this.uris.size
  }

  add(change: Change): void {
    if (change._tag === "ListChanged") this.lists.add(change.list)
    else this.uris.add(change.uri)
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
    for (const list of LISTS) if (this.lists.has(list)) changes.push({ _tag: "ListChanged", list })
    for (const uri of this.uris) changes.push({ _tag: "Updated", uri })
    this.lists.clear()
    this.uris.clear()
    return changes
  }

  /** Forgets what is to be told of one resource. */
  forget(uri: string): void {
    this.uris.delete(uri)
  }
}
