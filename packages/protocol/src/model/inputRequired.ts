import type { JsonObject } from "../JsonRpc.ts"
import type { Questions } from "./methods.ts"

/**
 * A question inside a result: a request without an id.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputrequests
 */
export type InputRequest =
  | { readonly method: "sampling/createMessage"; readonly params: Questions["sampling/createMessage"]["params"] }
  | { readonly method: "elicitation/create"; readonly params: Questions["elicitation/create"]["params"] }
  | { readonly method: "roots/list"; readonly params?: Questions["roots/list"]["params"] }

/**
 * What a server answers that needs something of the client first. The client asks again, with an answer to each question
 * under the question's own key, and with `requestState` as it came.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export interface InputRequired {
  readonly inputRequests?: { readonly [key: string]: InputRequest }
  readonly requestState?: string
  readonly _meta?: JsonObject
}

/**
 * What goes with the request that is made again: each answer as its own question's codec writes and reads it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputresponses
 */
export interface InputResponses {
  readonly inputResponses?: { readonly [key: string]: JsonObject }
  readonly requestState?: string
}
