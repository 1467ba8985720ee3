import { ErrorCode, JsonRpc } from "@effective-mcp/protocol"

const statuses: ReadonlyMap<number, number> = new Map([
  [ErrorCode.MethodNotFound, 404],
  [ErrorCode.HeaderMismatch, 400],
  [ErrorCode.MissingRequiredClientCapability, 400],
  [ErrorCode.UnsupportedProtocolVersion, 400],
  [ErrorCode.ParseError, 400],
  [ErrorCode.InvalidRequest, 400],
  [ErrorCode.InvalidParams, 400]
])

/**
 * The HTTP status that goes with a modern response, where nothing was said before it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#protocol-version-header
 */
export const statusOf = (response: JsonRpc.Response): number =>
  JsonRpc.isSuccess(response) ? 200 : (statuses.get(response.error.code) ?? 200)
