import {
  ErrorCode,
  JsonRpc,
  legacyRevisions,
  modernRevisions,
  newestOf,
  type Revision,
  type RpcError,
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

/**
 * What the failure of a probe on a pipe says: any error that is not a modern one, and silence, mean a legacy server.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility
 */
export const fromFailure = (error: Exclude<CallError, { _tag: "NotOffered" | "InputRequired" }>): Verdict => {
  if (error._tag === "RpcError") return fromError(error) ?? { is: "Legacy" }
  if (error._tag === "Violation") return { is: "Unusable", error }
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
