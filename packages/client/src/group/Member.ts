import type { SessionLike } from "../Session.ts"

/** One server of a group. */
export interface Member {
  readonly key: string
  readonly session: SessionLike
}
