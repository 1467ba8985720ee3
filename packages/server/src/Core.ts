import type { Era, Implementation, Method, Methods, RpcError, ServerCapabilities } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type { Call } from "./Call.ts"
import type { InputRequired } from "./InputRequired.ts"
import type { InvalidArguments } from "./Tool.ts"

/** How a server answers one method, in neutral terms; some may ask for input first. */
export type Operation<M extends Method, R> = (
  params: Methods[M]["params"]
) => Effect.Effect<Methods[M]["result"] | InputRequired, RpcError | InvalidArguments, R | Call>

/** One chapter of the specification: the methods it defines, and its part of the capabilities. */
export interface Chapter<R> {
  readonly capabilities: ServerCapabilities
  readonly operations: { readonly [M in Method]?: Operation<M, R> }
}

/** A server as its eras see it. */
export interface Core<R> extends Chapter<R> {
  readonly info: Implementation
  readonly instructions: string | undefined
  readonly eras: ReadonlyArray<Era>
}
