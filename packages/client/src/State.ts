import type { Era } from "@effective-mcp/protocol"
import type { ConnectError } from "./ClientError.ts"

/** Whether a client has a session, and if not, why. */
export type State =
  /** One is being begun; that may take several attempts. */
  | { readonly _tag: "Connecting" }
  | { readonly _tag: "Connected"; readonly era: Era; readonly revision: string }
  /** It was lost, or could not be begun. */
  | { readonly _tag: "Lost"; readonly error: ConnectError }
  /** The client was closed, or its scope. */
  | { readonly _tag: "Closed" }
