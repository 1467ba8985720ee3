import type { ClientCapabilities, JsonRpc, Revision } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type { Asks } from "../Call.ts"
import type { InputRequired } from "../InputRequired.ts"
import type { Patience } from "./patience.ts"

/** What answers a request, given a way to ask; it may run several times. */
export type Answer<R> = (asks: Asks) => Effect.Effect<JsonRpc.Response | InputRequired, never, R>

/** How an era runs what answers a request, and has its questions answered. */
export type During = <R>(request: JsonRpc.Request, answer: Answer<R>) => Effect.Effect<JsonRpc.Response, never, R>

/** Who is asked, and in which words. */
export interface Asked {
  readonly patience: Patience
  readonly revision: Revision
  readonly capabilities: ClientCapabilities
}
