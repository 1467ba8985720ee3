import type { ConnectError } from "@effective-mcp/client"
import { quote, type TransportError } from "@effective-mcp/protocol"
import type { Reason } from "./ConnectTargetError.ts"

const METADATA = /(?:^|[\s,])resource_metadata="([^"]{1,2048})"/i

/** Where a challenge says that there is more to know, if that is an address. */
const metadataIn = (challenge: string): string | undefined => {
  const [, address = ""] = METADATA.exec(challenge) ?? []
  return /^https?:$/.test(URL.parse(address)?.protocol ?? "") ? address : undefined
}

/** A server that turned us away because it does not know us. */
export const needsAuth = (status: number, challenge: string | undefined): Reason => {
  const resourceMetadata = metadataIn(challenge ?? "")
  return {
    _tag: "NeedsAuth",
    status,
    ...(challenge === undefined ? {} : { challenge }),
    ...(resourceMetadata === undefined ? {} : { resourceMetadata })
  }
}

/** How a runtime calls what it does not let a program do, where the system was never asked. */
const nameOf = (cause: unknown): string | undefined =>
  cause instanceof Error && /^[A-Z]\w{3,40}$/.test(cause.name) && !/^(?:Type|Range)?Error$/.test(cause.name)
    ? cause.name
    : undefined

const ofWire = ({ message, reason }: TransportError, wire: string | undefined): Reason => {
  switch (reason._tag) {
    case "Unreachable": {
      const { code = nameOf(reason.cause), what } = reason
      return { _tag: "Unreachable", what, ...(code === undefined ? {} : { code }) }
    }
    case "Closed": {
      const { cause, exit, stderr = "" } = reason
      if (nameOf(cause) === "NotCapable") {
        return { _tag: "Unreachable", what: "no connection may be made from here", code: "NotCapable" }
      }
      return exit === undefined
        ? { _tag: "Broken", detail: "the connection was closed before the server had answered" }
        : { _tag: "Exited", code: exit.code, signal: exit.signal, stderr }
    }
    case "Unsendable":
      return { _tag: "Unsendable" }
    case "TimedOut":
      return { _tag: "Silent", afterMs: reason.afterMs }
    case "HttpStatus": {
      const { challenge, retryAfterMs, status } = reason
      if (status === 401 || status === 403) return needsAuth(status, challenge)
      if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
        return {
          _tag: "NotMcp",
          detail: `${wire === undefined ? "nothing at this address speaks the protocol" : `${wire} is not spoken at this address`} (HTTP status ${status})`,
          isPage: false
        }
      }
      return { _tag: "HttpStatus", status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
    }
    case "Redirected":
      return { _tag: "Redirected", to: reason.to }
    default:
      return { _tag: "Broken", detail: message }
  }
}

/**
 * What the failure of a client says of its target.
 *
 * @param wire what was spoken because the program said so, as people call it
 */
export const explain = (error: ConnectError, wire?: string): Reason => {
  switch (error._tag) {
    case "TransportError":
      return ofWire(error, wire)
    case "RpcError":
      if (error.httpStatus === 401 || error.httpStatus === 403) return needsAuth(error.httpStatus, undefined)
      if (error.httpStatus === 404 || error.httpStatus === 405) {
        const detail = `the server answered with HTTP status ${error.httpStatus}: ${quote(error.message)}`
        return { _tag: "NotMcp", detail, isPage: false }
      }
      return { _tag: "Refused", code: error.code, detail: error.message }
    case "NoCommonRevision":
      return { _tag: "NoCommonRevision", ours: error.ours, theirs: error.theirs }
    case "Violation":
      return { _tag: "Broken", detail: `the server broke its revision: ${quote(error.detail)}` }
  }
}
