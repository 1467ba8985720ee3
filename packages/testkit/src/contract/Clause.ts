import { type Connection, JsonRpc, type Listener } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { equal, type Mismatch } from "../Mismatch.ts"

/** What not every wire can do, or not every pair can show. */
export type Ability =
  /** The host says something because of a request, before its response. */
  | "hearing"
  /** The host asks its client in the middle of a request. */
  | "asking"
  /** The host says something outside any exchange. */
  | "announcing"
  /** The pair has a `goAway`. */
  | "goingAway"
  /** The wire has a limit to the length of a message. */
  | "limit"
  /** The scope owns something that closes with it. */
  | "releasing"
  /** The wire holds less than 32 MiB that nobody has read. */
  | "waiting"

/** A connected pair under test. */
export interface Trial {
  readonly peer: Connection
  /** Cuts the wire from the other side. */
  readonly goAway: Effect.Effect<void, Mismatch>
  /** Closes the scope of the pair. */
  readonly release: Effect.Effect<void>
  /** The longest message that the wire carries, in bytes. */
  readonly messageBytes: number
}

/** One rule of the contract, and how to see whether it holds. */
export interface Clause {
  readonly name: string
  readonly needs?: Ability
  /** Whether a right host logs an error because of it, which nobody needs to read. */
  readonly logs?: boolean
  readonly check: (trial: Trial) => Effect.Effect<void, unknown, Scope.Scope>
}

export const deaf: Listener = () => Effect.void

/** Begins an exchange whose outcome comes later; it has got as far as it does without waiting when this returns. */
export const begin = (peer: Connection, request: JsonRpc.Request, listener: Listener = deaf) =>
  Effect.forkScoped(peer.exchange(request, listener), { startImmediately: true })

/** Calls and expects this result. */
export const expectResult = (
  peer: Connection,
  request: JsonRpc.Request,
  result: JsonRpc.JsonObject,
  listener: Listener = deaf
) =>
  Effect.flatMap(peer.exchange(request, listener), (response) =>
    equal(response, JsonRpc.success(request.id, result), `the answer to ${request.method}`)
  )

/** Some turns of the scheduler: enough for any fiber that only needs the processor to get ahead. */
export const someTurns = Effect.forEach([1, 2, 3, 4, 5], () => Effect.yieldNow, { discard: true })
