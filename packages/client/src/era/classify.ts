import {
  type Connection,
  ErrorCode,
  JsonRpc,
  legacyRevisions,
  modernRevisions,
  newestOf,
  type Revision,
  type RpcError,
  type TransportError,
  versionsOf,
  Violation
} from "@effective-mcp/protocol"
import { type CallError, type ConnectError, NoCommonRevision, some } from "../ClientError.ts"
import { type Discovered, isStrings, readDiscovered } from "./Modern.ts"

/** What the answer to a probe says of a server. */
export type Verdict =
  | { readonly is: "Modern"; readonly revision: Revision; readonly discovered: Discovered }
  /** Modern, and it wants to be asked again in this revision. */
  | { readonly is: "AskAgain"; readonly revision: Revision }
  | { readonly is: "Legacy" }
  /** It said nothing at all, as some legacy servers do. */
  | { readonly is: "Silent"; readonly error: ConnectError }
  | { readonly is: "Died"; readonly error: ConnectError }
  | { readonly is: "Unusable"; readonly error: ConnectError }

/** The versions that an unsupported-version error lists; undefined when it is not one as the protocol defines it. */
const supportedOf = ({ code, data }: RpcError): ReadonlyArray<string> | undefined =>
  code === ErrorCode.UnsupportedProtocolVersion &&
  JsonRpc.isObject(data) &&
  isStrings(data.supported) &&
  typeof data.requested === "string"
    ? data.supported
    : undefined

/** Whether only a modern server answers like this. A code alone proves it where the protocol asks for no data. */
const isModernError = (error: RpcError): boolean =>
  error.code === ErrorCode.HeaderMismatch ||
  (error.code === ErrorCode.MissingRequiredClientCapability &&
    JsonRpc.isObject(error.data) &&
    JsonRpc.isObject(error.data.requiredCapabilities)) ||
  supportedOf(error) !== undefined

const noCommon = (theirs: ReadonlyArray<string>): NoCommonRevision =>
  new NoCommonRevision({
    ours: [...versionsOf(modernRevisions), ...versionsOf(legacyRevisions)],
    theirs: some(theirs),
    advice: "Only an older or newer release of one side can bridge that."
  })

/** No modern revision in common: the handshake is left, if the server lists a version for it. */
const withoutModern = (theirs: ReadonlyArray<string>): Verdict =>
  newestOf(legacyRevisions, theirs) === undefined ? { is: "Unusable", error: noCommon(theirs) } : { is: "Legacy" }

/** What an error says, as the answer to `server/discover` or to `initialize`; undefined when nothing modern. */
export const fromError = (error: RpcError): Verdict | undefined => {
  const supported = supportedOf(error)
  if (supported === undefined) return isModernError(error) ? { is: "Unusable", error } : undefined
  const revision = newestOf(modernRevisions, supported)
  return revision === undefined ? withoutModern(supported) : { is: "AskAgain", revision }
}

/** What a result of `server/discover` says, when it was asked in `declared`. */
export const fromResult = (result: JsonRpc.JsonObject, declared: Revision): Verdict => {
  if (!("resultType" in result) && !("supportedVersions" in result)) return { is: "Legacy" }
  const discovered = readDiscovered(result)
  if (typeof discovered === "string") {
    const where = { revision: declared.version, method: "server/discover", detail: discovered }
    return { is: "Unusable", error: new Violation(where) }
  }
  const revision = newestOf(modernRevisions, discovered.supportedVersions)
  return revision === undefined ? withoutModern(discovered.supportedVersions) : { is: "Modern", revision, discovered }
}

type Failed = Exclude<CallError, { _tag: "NotOffered" | "InputRequired" | "Withheld" }>

/** How a wire fails when a probe fails on it. */
type Column = (error: TransportError) => Verdict

/** On a pipe whatever is no modern error means a legacy server, silence included. */
const onPipe: Column = (error) => {
  switch (error.reason._tag) {
    case "TimedOut":
      return { is: "Silent", error }
    case "Malformed":
      return { is: "Legacy" }
    case "Closed":
      return { is: "Died", error }
    default:
      return { is: "Unusable", error }
  }
}

/** Statuses that say nothing of an era: who asks is not known, or the server has no time. */
const isAnyEra = (status: number): boolean => status === 401 || status === 403 || status === 408 || status === 429

/** Over HTTP a status of 400 and above without a modern error does; what kept the server from answering says nothing. */
const overHttp: Column = (error) => {
  switch (error.reason._tag) {
    case "Malformed":
    case "SessionExpired":
      return { is: "Legacy" }
    case "HttpStatus": {
      const { status } = error.reason
      return status >= 400 && status < 500 && !isAnyEra(status) ? { is: "Legacy" } : { is: "Unusable", error }
    }
    default:
      return { is: "Unusable", error }
  }
}

/**
 * What the failure of a probe says. An error that the server put into words outranks how the wire carried it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#backward-compatibility
 */
export const fromFailure = (error: Failed, wire: Connection["wire"]): Verdict => {
  if (error._tag === "RpcError") return fromError(error) ?? { is: "Legacy" }
  if (error._tag === "Violation") return { is: "Unusable", error }
  return wire === "http" ? overHttp(error) : onPipe(error)
}
