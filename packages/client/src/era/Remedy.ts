import type { Implementation } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type { CallError } from "../ClientError.ts"
import type { List } from "../Hub.ts"
import type { Method, Methods } from "../Methods.ts"
import type { Sender } from "../Send.ts"
import type { Session } from "../Session.ts"

/** What can be done about a failure, after which the same request may be sent once more; undefined when nothing can. */
export type Remedy = (
  error: CallError,
  method: Method,
  params: Methods[Method]["params"]
) => Effect.Effect<void, CallError> | undefined

/** A session as its client holds it. */
export interface Spoken extends Session {
  /** What `request` does, in a fiber that runs. */
  readonly send: Sender
  readonly remedy?: Remedy
  /** The server as it last described itself, where each result may say so. */
  readonly identity?: () => Implementation | undefined
  /** Whether the server says unasked that a list has changed. */
  readonly tells?: (list: List) => boolean
}
