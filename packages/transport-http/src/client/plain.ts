import { type Connection, TransportError } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Options } from "./Options.ts"

export const connect = (
  _url: string | URL,
  _options: Pick<Options, "headers" | "interceptors" | "client"> = {}
): Effect.Effect<Connection, TransportError, Scope.Scope> =>
  TransportError.make({ _tag: "Unreachable", what: "this transport is not here yet" }, "NotSent")
