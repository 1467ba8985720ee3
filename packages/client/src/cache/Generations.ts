import { limits } from "@effective-mcp/protocol"
import type { CacheKind } from "./CacheStore.ts"
import { isLong } from "./fingerprint.ts"

/**
 * How often each kept result has been said to have changed, so that one that was on its way meanwhile is not kept. Each
 * URI is counted by itself, up to 256 of them; then all start anew, as if every resource had changed. So it is when a URI
 * changes that is too long to be kept.
 */
export class Generations {
  private all = 0
  private readonly kinds = new Map<CacheKind, number>()
  private readonly uris = new Map<string, number>()

  /** What was true when a request was sent: it stays the same as long as nothing has changed that the result depends on. */
  of(kind: CacheKind, at: string): string {
    const uri = kind === "resources/read" && !isLong(at) ? (this.uris.get(at) ?? 0) : 0
    return `${this.all}:${this.kinds.get(kind) ?? 0}:${uri}`
  }

  changed(kind?: CacheKind, uri?: string): void {
    if (kind === undefined) this.all++
    else if (uri === undefined || isLong(uri)) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1)
    else {
      if (this.uris.size >= limits.cachedGenerations && !this.uris.has(uri)) {
        this.uris.clear()
        this.changed(kind)
      }
      this.uris.set(uri, (this.uris.get(uri) ?? 0) + 1)
    }
  }
}
