import type { PrincipalService } from "@effective-mcp/protocol/Principal"
import * as Effect from "effect/Effect"
import type { HttpRequest } from "./HttpRequest.ts"
import { identityOf } from "./Unverified.ts"

/** A session, as who decides about it sees it. */
export interface SessionInfo {
  readonly id: string
  readonly owner?: string | undefined
  readonly origin?: string | undefined
}

export interface Options {
  /**
   * Whom a session belongs to, where that is something else than the principal (a tenant, for one): requests that it is
   * not the same for are refused with 403. Default the principal, where there is one.
   */
  readonly owner?: ((request: HttpRequest) => Effect.Effect<string | undefined>) | undefined
  /** Whether a request may use a session; asked for each but the one that opens it. False is 403. */
  readonly admit?: ((request: HttpRequest, session: SessionInfo) => Effect.Effect<boolean>) | undefined
}

/** Whose a session is: nobody has that of another by knowing its id. */
export interface Ownership {
  /** Whom a session belongs to that a request opens. */
  readonly ownerOf: (request: HttpRequest, principal: PrincipalService | undefined) => Effect.Effect<string | undefined>
  /** Whether a request may use a session. */
  readonly mayUse: (
    session: SessionInfo,
    request: HttpRequest,
    principal: PrincipalService | undefined
  ) => boolean | Effect.Effect<boolean>
}

const identity = (principal: PrincipalService | undefined): string | undefined =>
  principal === undefined ? undefined : identityOf(principal)

const no = Effect.succeed(false)

/** @see https://modelcontextprotocol.io/docs/2025-11-25/tutorials/security/security_best_practices#session-hijacking */
export const make = ({ admit, owner }: Options): Ownership => ({
  ownerOf: owner ?? ((_request, principal) => Effect.succeed(identity(principal))),
  mayUse: (session, request, principal) => {
    const origin = request.header("origin")
    if (origin !== undefined && session.origin !== undefined && origin !== session.origin) return false
    const admitted = admit?.(request, session) ?? true
    if (owner === undefined) return identity(principal) === session.owner && admitted
    return Effect.flatMap(owner(request), (who) => {
      if (who !== session.owner) return no
      return admitted === true ? Effect.succeed(true) : admitted
    })
  }
})
