import * as Context from "effect/Context"

/** Who is calling, as verified by whatever guards the wire; two callers are the same when all but `scopes` is equal. */
export interface PrincipalService {
  /** Who issued the proof of it. */
  readonly issuer?: string
  readonly subject: string
  /** The program that acts for the subject. */
  readonly clientId?: string
  readonly scopes: ReadonlyArray<string>
}

/**
 * The verified caller of a request: there only on wires that verify, so that what needs it cannot be served without.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export class Principal extends Context.Service<Principal, PrincipalService>()("@effective-mcp/protocol/Principal") {}
