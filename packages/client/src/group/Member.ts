import type { Session } from "../Session.ts"

/** One server of a group. */
export interface Member {
  readonly key: string
  readonly session: Pick<Session, "request" | "capabilities">
}
