import {
  type ClientCapabilities,
  type Connection,
  type Implementation,
  legacyRevisions,
  modernRevisions,
  type Revision,
  type RpcError,
  type TransportError,
  versionsOf
} from "@effective-mcp/protocol"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type ConnectError, NoCommonRevision } from "../ClientError.ts"
import type { Host } from "../Host.ts"
import type { Session } from "../Session.ts"
import { fromError, fromFailure, fromResult, type Verdict } from "./classify.ts"
import * as Legacy from "./Legacy.ts"
import { type Link, open, type Timeouts } from "./Link.ts"
import * as Modern from "./Modern.ts"

/** Which eras may be tried: either, modern first, or only the one. */
export type Mode = "auto" | "modern" | "legacy"

export interface Profile {
  readonly info: Implementation
  readonly capabilities: ClientCapabilities
  readonly mode: Mode
  readonly probe: Duration.Input
  readonly timeouts: Timeouts
  /** Answers what the server asks, and hears what it says outside any exchange. */
  readonly host: Host
}

/** The probe ended the server. */
class Died {}

type Negotiated = Effect.Effect<Session, ConnectError>

/** What to do with a server once it has answered; each way is taken at most once. */
const probe = (link: Link, profile: Profile, revision: Revision): Effect.Effect<Verdict> =>
  Modern.discover(link, Modern.manner(revision, profile.info, profile.capabilities), {
    timeout: profile.probe,
    totalTimeout: profile.probe
  }).pipe(
    Effect.map((result) => fromResult(result, revision)),
    Effect.catchTag(["NotOffered", "InputRequired"], Effect.die),
    Effect.catch((error) => Effect.succeed(fromFailure(error)))
  )

const beModern = (link: Link, profile: Profile, { discovered, revision }: Verdict & { is: "Modern" }): Session =>
  Modern.open(link, Modern.manner(revision, profile.info, profile.capabilities), discovered)

/** Asks a server that has shown itself modern once more; it has no other way out. */
const askAgain = (link: Link, profile: Profile, revision: Revision): Negotiated =>
  Effect.flatMap(probe(link, profile, revision), (verdict): Negotiated => {
    switch (verdict.is) {
      case "Modern":
        return Effect.succeed(beModern(link, profile, verdict))
      case "Unusable":
      case "Died":
      case "Silent":
        return Effect.fail(verdict.error)
      default:
        return Effect.fail(
          new NoCommonRevision({
            ours: versionsOf(modernRevisions),
            theirs: [],
            advice: `The server names ${revision.version} and then refuses it.`
          })
        )
    }
  })

const saysNothing = (error: ConnectError): boolean =>
  error._tag === "NoCommonRevision" || (error._tag === "TransportError" && error.reason._tag === "TimedOut")

/** The handshake; a server that refuses it in modern words, or had let a probe time out, is asked the modern way. */
const handshake = (link: Link, profile: Profile, mayGoForward: boolean, wasSilent: boolean): Negotiated =>
  Effect.catchTag(Legacy.open(link, profile.info, profile.capabilities), "RpcError", (error: RpcError): Negotiated => {
    const verdict = fromError(error)
    if (!mayGoForward || (verdict === undefined && !wasSilent)) return Effect.fail(error)
    if (verdict?.is === "Unusable" && verdict.error._tag === "NoCommonRevision") return Effect.fail(verdict.error)
    const revision = verdict?.is === "AskAgain" ? verdict.revision : modernRevisions[0]
    // what it said of the handshake tells more than that it has nothing else to say
    return Effect.catchIf(askAgain(link, profile, revision), saysNothing, () => Effect.fail(error))
  })

/** A server that ends before it has answered the handshake has died of the probe, whatever it said to that. */
const orDied = (handshake: Negotiated): Effect.Effect<Session, ConnectError | Died> =>
  Effect.catchIf(
    handshake,
    (error) => error._tag === "TransportError" && error.reason._tag === "Closed",
    () => Effect.fail(new Died())
  )

const notModern = new NoCommonRevision({
  ours: versionsOf(modernRevisions),
  theirs: [],
  advice: `It seems to be a legacy server: set era to "auto" or "legacy" to speak ${versionsOf(legacyRevisions).join(" or ")} with it.`
})

/**
 * Comes to terms with a server on a pipe. Modern is tried first, in the same process; a server that does not know it
 * gets the handshake, and one that dies of being asked is started once more and only gets the handshake.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions
 */
export const negotiate = <R>(
  transport: Effect.Effect<Connection, TransportError, R | Scope.Scope>,
  profile: Profile
): Effect.Effect<Session, ConnectError, R | Scope.Scope> =>
  Effect.gen(function* () {
    const outer = yield* Effect.scope
    /** Runs one attempt on a connection of its own, which is closed unless a session comes of it. */
    const attempt = <A, E>(use: (link: Link) => Effect.Effect<A, E>): Effect.Effect<A, E | TransportError, R> =>
      Effect.flatMap(Scope.fork(outer), (scope) =>
        open(transport, profile.timeouts, profile.host).pipe(
          Effect.provideService(Scope.Scope, scope),
          Effect.flatMap(use),
          Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
        )
      ) as Effect.Effect<A, E | TransportError, R> // cast: the scope is provided
    if (profile.mode === "legacy") return yield* attempt((link) => handshake(link, profile, false, false))

    const mayFallBack = profile.mode === "auto"
    const first = attempt((link) =>
      Effect.flatMap(
        probe(link, profile, modernRevisions[0]),
        (verdict): Effect.Effect<Session, ConnectError | Died> => {
          switch (verdict.is) {
            case "Modern":
              return Effect.succeed(beModern(link, profile, verdict))
            case "AskAgain":
              return askAgain(link, profile, verdict.revision)
            case "Unusable":
              return Effect.fail(verdict.error)
            case "Died":
              return Effect.fail(mayFallBack ? new Died() : verdict.error)
            case "Silent":
              return mayFallBack ? orDied(handshake(link, profile, true, true)) : Effect.fail(verdict.error)
            case "Legacy":
              return mayFallBack ? orDied(handshake(link, profile, true, false)) : Effect.fail(notModern)
          }
        }
      )
    )
    return yield* Effect.catchIf(
      first,
      (error): error is Died => error instanceof Died,
      () => attempt((link) => handshake(link, profile, false, false))
    )
  })
