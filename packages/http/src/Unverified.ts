import { Principal, type PrincipalService } from "@effective-mcp/protocol/Principal"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { HttpRequest } from "./HttpRequest.ts"
import type { Headers, HttpResponse, Refuse } from "./HttpResponse.ts"

/**
 * Turns a request away: its sender proves nothing (401), or may not ask here (403).
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#error-handling
 */
export class Unverified extends Data.TaggedError("Unverified")<{
  /** Default 401. */
  readonly status?: 401 | 403
  /** How to prove it, as `WWW-Authenticate`: printable ASCII, else it is left out. */
  readonly challenge?: string
}> {}

/**
 * Says who sends a request, by what is in its head: as an effect or a promise, which fails with `Unverified` or throws it.
 * Asked of every request, before its body is read.
 */
export type Verify<P extends PrincipalService = PrincipalService> = (
  request: HttpRequest
) => Effect.Effect<P, Unverified> | PromiseLike<P>

/** Asks who sends a request. Any other failure than `Unverified` is a defect, and lets nobody in. */
export const verify = <P extends PrincipalService>(
  principal: Verify<P>,
  request: HttpRequest
): Effect.Effect<P, Unverified> =>
  Effect.suspend(() => {
    const said = principal(request)
    if (Effect.isEffect(said)) return said
    return Effect.tryPromise({ try: async () => said, catch: (thrown) => thrown }).pipe(
      Effect.catch((thrown) => (thrown instanceof Unverified ? Effect.fail(thrown) : Effect.die(thrown)))
    )
  })

const PRINTABLE = /^[\x20-\x7e]{1,4096}$/

/** What turns such a request away, beside its text. */
export const refusalOf = ({
  challenge = "",
  status = 401
}: Unverified): { readonly status: number; readonly message: string; readonly headers: Headers } => ({
  status,
  message: status === 401 ? "Unauthorized" : "Forbidden",
  headers: PRINTABLE.test(challenge) ? { "www-authenticate": challenge } : {}
})

/** Makes what goes on with who sends a request among its services, where that is asked. */
export const verified =
  <R>(principal: Verify | undefined, refuse: Refuse) =>
  (request: HttpRequest, response: HttpResponse, next: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
    principal === undefined
      ? next
      : Effect.matchEffect(verify(principal, request), {
          onFailure: (reason) =>
            Effect.sync(() => {
              const { headers, message, status } = refusalOf(reason)
              refuse(response, status, message, { headers })
            }),
          onSuccess: (known): Effect.Effect<void, never, R> => Effect.provideService(next, Principal, known)
        })

/** Who sends the request that a fiber answers, where that is known. */
export const principalOf = ({ context }: Fiber.Fiber<unknown, unknown>): PrincipalService | undefined =>
  Context.getOrUndefined(context, Principal)

/** A text that two principals share exactly when they are the same caller. */
export const identityOf = ({ clientId, issuer, subject }: PrincipalService): string =>
  JSON.stringify([issuer ?? null, subject, clientId ?? null])
