import {
  type ClientCapabilities,
  type Connection,
  type DiscoverResult,
  type Era,
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
import type { Hub } from "../Hub.ts"
import { type Deprecated, notice } from "../notice.ts"
import { fromError, fromFailure, fromResult, type Verdict } from "./classify.ts"
import type { Kept } from "./Kept.ts"
import * as Legacy from "./Legacy.ts"
import { type Line, make as makeLine } from "./Line.ts"
import { type Ids, type Link, open, type Timeouts } from "./Link.ts"
import * as Modern from "./Modern.ts"
import type { Spoken } from "./Remedy.ts"
import type { Manner } from "./session.ts"

/** Which eras may be tried: either, modern first, or only the one. */
export type Mode = "auto" | "modern" | "legacy"

export interface Profile {
  readonly info: Implementation
  /** Whether a modern server is told `info`. */
  readonly identify: boolean
  /** Whether the log is told of what is deprecated. */
  readonly notices: boolean
  readonly capabilities: ClientCapabilities
  readonly mode: Mode
  /** The one revision that may be spoken, of an era that `mode` allows. */
  readonly pin: Revision | undefined
  readonly probe: Duration.Input
  readonly timeouts: Timeouts
  /** How often a call that is answered with questions is made again. */
  readonly maxRounds: number
  /** Answers what the server asks, and hears what it says outside any exchange. */
  readonly host: Host
  /** Told of what the server says unasked. */
  readonly hub: Hub
  readonly kept: Kept
  readonly ids: Ids
}

/** A session, and the connection that it goes over. */
export interface Negotiated {
  readonly session: Spoken
  readonly line: Line
}

/** One connection, while it is not settled what is spoken on it. */
interface Trial {
  readonly link: Link
  readonly line: Line
  readonly profile: Profile
}

/** The probe ended the server. */
class Died {}
const isDied = (error: ConnectError | Died): error is Died => error instanceof Died

type Session = Effect.Effect<Spoken, ConnectError>

/** The newest modern revision that may be spoken. */
const newest = ({ pin }: Profile): Revision => pin ?? modernRevisions[0]

const mannerOf = ({ capabilities, identify, info, notices }: Profile, revision: Revision): Manner => ({
  ...Modern.manner(revision, identify ? info : undefined, capabilities),
  ...(notices && { notice })
})

const deprecatedIn = ({ roots, sampling }: ClientCapabilities): ReadonlyArray<Deprecated> => [
  ...(roots ? (["roots"] as const) : []),
  ...(sampling ? (["sampling"] as const) : []),
  ...(sampling?.context ? (["includeContext"] as const) : [])
]

/** What to do with a server once it has answered; each way is taken at most once. */
const probe = ({ line, link, profile }: Trial, revision: Revision): Effect.Effect<Verdict> =>
  Modern.discover(link, mannerOf(profile, revision), {
    timeout: profile.probe,
    totalTimeout: profile.probe
  }).pipe(
    Effect.map((result) => fromResult(result, revision)),
    Effect.catchTag(["NotOffered", "InputRequired", "Withheld"], Effect.die),
    Effect.catch((error) => Effect.succeed(fromFailure(error, line.connection.wire))),
    Effect.map((verdict) => pinned(verdict, profile))
  )

/** A revision that is pinned is the only one: no other is agreed on, nor asked for again. */
const pinned = (verdict: Verdict, { pin }: Profile): Verdict =>
  pin === undefined || (verdict.is !== "Modern" && verdict.is !== "AskAgain") || verdict.revision === pin
    ? verdict
    : { is: "Unusable", error: notPinned(pin, verdict.revision) }

const notPinned = (pin: Revision, theirs: Revision): NoCommonRevision =>
  new NoCommonRevision({
    ours: [pin.version],
    theirs: [theirs.version],
    advice: "Leave out the revision to speak whatever both know."
  })

const beModern = ({ line, link, profile }: Trial, { discovered, revision }: Verdict & { is: "Modern" }): Session => {
  const manner = { ...mannerOf(profile, revision), kept: profile.kept }
  const spoken = Modern.open(link, manner, discovered, line, profile.hub)
  return Effect.as(manner.notice?.(deprecatedIn(profile.capabilities)) ?? Effect.void, spoken)
}

/** Asks a server that has shown itself modern once more; it has no other way out. */
const askAgain = (trial: Trial, revision: Revision): Session =>
  Effect.flatMap(probe(trial, revision), (verdict): Session => {
    switch (verdict.is) {
      case "Modern":
        return beModern(trial, verdict)
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
const handshake = (trial: Trial, mayGoForward: boolean, wasSilent: boolean): Session =>
  Effect.catchTag(Legacy.open(trial.link, trial.line, trial.profile), "RpcError", (error: RpcError): Session => {
    const verdict = fromError(error)
    if (!mayGoForward || (verdict === undefined && !wasSilent)) return Effect.fail(error)
    if (verdict?.is === "Unusable" && verdict.error._tag === "NoCommonRevision") return Effect.fail(verdict.error)
    const revision = verdict?.is === "AskAgain" ? verdict.revision : newest(trial.profile)
    // what it said of the handshake tells more than that it has nothing else to say
    return Effect.catchIf(askAgain(trial, revision), saysNothing, () => Effect.fail(error))
  })

/** A server on a pipe that ends before it has answered the handshake has died of the probe, whatever it said to that. */
const orDied = (trial: Trial, handshake: Session): Effect.Effect<Spoken, ConnectError | Died> =>
  Effect.catchIf(
    handshake,
    (error) => trial.line.isPipe && error._tag === "TransportError" && error.reason._tag === "Closed",
    () => Effect.fail(new Died())
  )

const notModern = new NoCommonRevision({
  ours: versionsOf(modernRevisions),
  theirs: [],
  advice: `It seems to be a legacy server: set era to "auto" or "legacy" to speak ${versionsOf(legacyRevisions).join(" or ")} with it.`
})

/** Whether the wire is of the legacy era: nobody need be asked. */
const isLegacyWire = ({ line }: Trial): boolean => line.connection.eras?.includes("modern") === false

/** Asks for the era, where the wire does not say, and acts on the answer. */
const findOut = (trial: Trial): Effect.Effect<Spoken, ConnectError | Died> => {
  const mayFallBack = trial.profile.mode === "auto"
  if (isLegacyWire(trial)) return mayFallBack ? handshake(trial, false, false) : Effect.fail(notModern)
  return Effect.flatMap(probe(trial, newest(trial.profile)), (verdict): Effect.Effect<Spoken, ConnectError | Died> => {
    switch (verdict.is) {
      case "Modern":
        return beModern(trial, verdict)
      case "AskAgain":
        return askAgain(trial, verdict.revision)
      case "Unusable":
        return Effect.fail(verdict.error)
      case "Died":
        return Effect.fail(mayFallBack ? new Died() : verdict.error)
      case "Silent":
        return mayFallBack ? orDied(trial, handshake(trial, true, true)) : Effect.fail(verdict.error)
      case "Legacy":
        return mayFallBack ? orDied(trial, handshake(trial, true, false)) : Effect.fail(notModern)
    }
  })
}

type Transport<R> = Effect.Effect<Connection, TransportError, R | Scope.Scope>

/** Runs one attempt on a connection of its own, which is closed unless something comes of it. */
const attempt = <A, E, R>(
  transport: Transport<R>,
  profile: Profile,
  use: (trial: Trial) => Effect.Effect<A, E>
): Effect.Effect<A, E | TransportError, R | Scope.Scope> =>
  Effect.flatMap(Effect.scope, (outer) =>
    Effect.flatMap(Scope.fork(outer), (scope) => {
      const lines: Array<Line> = []
      const seen = Effect.map(transport, (connection) => {
        const line = makeLine(connection, profile.hub)
        lines.push(line)
        return line.connection
      })
      const { host } = profile
      const notify: Host["notify"] = (said) =>
        Effect.suspend(() => {
          lines[0]?.hear(said)
          return host.notify(said)
        })
      return open(seen, profile, { ...host, notify }).pipe(
        Effect.provideService(Scope.Scope, scope),
        Effect.flatMap((link) => use({ link, line: lines[0]!, profile })),
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
      ) as Effect.Effect<A, E | TransportError, R> // cast: the scope is provided
    })
  )

/**
 * Comes to terms with a server. Modern is tried first, on the same connection; a server that does not know it gets the
 * handshake, and one that dies of being asked is started once more and only gets the handshake.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions
 */
export const negotiate = <R>(
  transport: Transport<R>,
  profile: Profile,
  /** What was found out before; a server that refuses it now, or ends of it, is asked anew. */
  known?: Era
): Effect.Effect<Negotiated, ConnectError, R | Scope.Scope> => {
  const found = <E>(use: (trial: Trial) => Effect.Effect<Spoken, E>) =>
    attempt(transport, profile, (trial) => Effect.map(use(trial), (session) => ({ session, line: trial.line })))
  const onlyHandshake = found((trial) => handshake(trial, false, false))
  if (profile.mode === "legacy") return onlyHandshake
  const asking = Effect.catchIf(found(findOut), isDied, () => onlyHandshake)
  if (profile.mode === "modern" || known !== "legacy") return asking
  return onlyHandshake.pipe(
    Effect.catch((error) => {
      if (error._tag !== "TransportError") return asking
      if (error.reason._tag !== "Closed" || error.reason.exit === undefined) return Effect.fail(error)
      // a server of the other era may end when it is greeted; one that ends in any case is not started a third time
      return Effect.catchIf(found(findOut), isDied, () => Effect.fail(error))
    })
  )
}

/**
 * Asks a server what it is, and nothing else.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 */
export const discover = <R>(
  transport: Transport<R>,
  profile: Profile
): Effect.Effect<DiscoverResult, ConnectError, R | Scope.Scope> =>
  attempt(transport, profile, (trial) => {
    const ask = (revision: Revision): Effect.Effect<DiscoverResult, ConnectError> =>
      Modern.discovery(trial.link, mannerOf(profile, revision), {
        timeout: profile.probe,
        totalTimeout: profile.probe
      }).pipe(
        Effect.catchTag(["NotOffered", "InputRequired", "Withheld"], Effect.die),
        Effect.catch((error) => {
          const verdict = pinned(fromFailure(error, trial.line.connection.wire), profile)
          if (verdict.is === "AskAgain" && verdict.revision !== revision) return ask(verdict.revision)
          return Effect.fail(verdict.is === "Legacy" ? notModern : "error" in verdict ? verdict.error : error)
        })
      )
    return isLegacyWire(trial) ? Effect.fail(notModern) : ask(newest(profile))
  })
