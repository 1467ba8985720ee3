import { TransportError } from "@effective-mcp/protocol/TransportError"

/** The address cannot be had: it is in use, or not ours. */
export const unavailable = (cause: unknown): TransportError => {
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined
  const what = "the address is not to be had"
  return TransportError.make(
    { _tag: "Unreachable", what, cause, ...(code === undefined ? undefined : { code }) },
    "NotSent"
  )
}
