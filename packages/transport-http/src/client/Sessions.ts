import type { Headers } from "@effective-mcp/http/client"
import { JsonRpc, TransportError } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { ofSession } from "./headers.ts"

/** What an `initialize` has agreed on. A server without sessions gives no id. */
export interface Session {
  readonly id: string | undefined
  readonly version: string | undefined
  readonly headers: Headers
  /** How it ended: the server knows it no more, or another took its place. */
  readonly over: Deferred.Deferred<"Expired" | "Replaced">
}

/** What a session's id may consist of, and as much of it as we carry. */
const ID = /^[\x21-\x7e]{1,4096}$/

const expired = (outcome: TransportError["outcome"]): TransportError =>
  TransportError.make({ _tag: "SessionExpired" }, outcome)

/**
 * The legacy session of a connection: there is at most one, from the answer to `initialize` on.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export class Sessions {
  current: Session | undefined
  private isExpired = false
  private ready = Deferred.makeUnsafe<Session>()

  /** Completes with the session once the client has said that it is initialized. */
  readonly whenReady: Effect.Effect<Session> = Effect.suspend(() => Deferred.await(this.ready))

  /** Why nothing can be sent but `initialize`, if so. */
  refusal(): TransportError | undefined {
    return this.isExpired ? expired("NotSent") : undefined
  }

  /** Takes what the answer to `initialize` has settled; the text says what is wrong with it. */
  begin(id: string | undefined, answer: JsonRpc.Response): string | undefined {
    if (!JsonRpc.isSuccess(answer)) return undefined
    if (id !== undefined && !ID.test(id)) return "a session id with characters that none may have, or too many"
    const { protocolVersion } = answer.result
    const version = typeof protocolVersion === "string" ? protocolVersion : undefined
    this.leave("Replaced")
    this.isExpired = false
    this.current = { id, version, headers: ofSession({ id, version }), over: Deferred.makeUnsafe() }
    return undefined
  }

  /** The client has said that it is initialized: the server may speak first from now on. */
  confirm(): void {
    if (this.current !== undefined) Deferred.doneUnsafe(this.ready, Effect.succeed(this.current))
  }

  /** The server does not know a session any more; it is forgotten. */
  expire(session: Session): TransportError {
    if (session === this.current) {
      this.isExpired = true
      this.leave("Expired")
    }
    return expired("Rejected")
  }

  private leave(how: "Expired" | "Replaced"): void {
    if (this.current === undefined) return
    Deferred.doneUnsafe(this.current.over, Effect.succeed(how))
    this.current = undefined
    if (Deferred.isDoneUnsafe(this.ready)) this.ready = Deferred.makeUnsafe()
  }
}
