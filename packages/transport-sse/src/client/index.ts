import type { Headers, HttpClient, Interceptor } from "@effective-mcp/http/client"
import { type Connection, TransportError } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface Options {
  readonly headers?: Headers | Effect.Effect<Headers, TransportError> | undefined
  readonly interceptors?: ReadonlyArray<Interceptor> | undefined
  readonly client?: HttpClient | undefined
}

export const connect = (
  _url: string | URL,
  _options: Options = {}
): Effect.Effect<Connection, TransportError, Scope.Scope> =>
  TransportError.make({ _tag: "Unreachable", what: "this transport is not here yet" }, "NotSent")
