import type { TransportError } from "@effective-mcp/protocol"

/** Whether a server cannot be reached, or has no time, for now: the same request may do better in a while. */
export const isDown = ({ reason }: TransportError): boolean =>
  reason._tag === "Unreachable" || (reason._tag === "HttpStatus" && (reason.status === 429 || reason.status >= 500))
