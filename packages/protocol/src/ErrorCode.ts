/**
 * The error codes that the protocol gives a meaning.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
 */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  HeaderMismatch: -32020,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
  /** Up to 2025-11-25; since then `InvalidParams` says so. */
  ResourceNotFound: -32002,
  /** 2025-11-25 alone. */
  UrlElicitationRequired: -32042
} as const

/** The codes that say a request was turned away before anything ran. */
const turnedAway: ReadonlySet<number> = new Set([
  ErrorCode.ParseError,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
  ErrorCode.HeaderMismatch,
  ErrorCode.MissingRequiredClientCapability,
  ErrorCode.UnsupportedProtocolVersion
])

/** Whether an error with this code proves that its request did not run. */
export const provesNotRun = (code: number): boolean => turnedAway.has(code)
