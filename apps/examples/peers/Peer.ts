import { JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Program } from "./Program.ts"

/** What a tool gave back, in the same words whoever asked. */
export interface Answer {
  readonly text: string
  readonly structured: unknown
  readonly isError: boolean
  /** How often the server said how far it had got; undefined where the client cannot hear it. */
  readonly progress: number | undefined
}

/** A server as some SDK's client sees it. */
export interface Remote {
  readonly server: string | undefined
  /** The version that is spoken, where the client tells. */
  readonly revision: string | undefined
  readonly tools: Effect.Effect<ReadonlyArray<string>, unknown>
  readonly call: (tool: string, args: JsonRpc.JsonObject) => Effect.Effect<Answer, unknown>
}

/** A client of some SDK: it starts a server and speaks with it over stdio. The scope is the server's life. */
export interface Peer {
  readonly name: string
  readonly connect: (program: Program) => Effect.Effect<Remote, unknown, Scope.Scope>
}

/** A promise of someone else's client, as an effect; interrupting it aborts what it is told to. */
export const ask = <A>(use: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: use, catch: (cause) => cause })

const textOf = (piece: unknown): string => {
  if (!JsonRpc.isObject(piece)) return ""
  return typeof piece.text === "string" ? piece.text : `(${String(piece.type)})`
}

/** Reads a tool's result, whichever SDK's type it has. */
export const toAnswer = (result: object, progress?: number): Answer => {
  const { content, isError, structuredContent } = result as JsonRpc.JsonObject
  return {
    text: Array.isArray(content) ? content.map(textOf).join("\n") : "",
    structured: structuredContent,
    isError: isError === true,
    progress
  }
}
