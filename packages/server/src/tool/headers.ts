import { HeaderParams, Invalid, type JsonRpc } from "@effective-mcp/protocol"

/**
 * Looks at which headers mirror a tool's parameters. A schema that the protocol does not allow throws: clients on HTTP
 * would not show the tool at all.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
 */
export const requireHeaders = (schema: JsonRpc.JsonObject): void => {
  const read = HeaderParams.read(schema)
  if (read instanceof Invalid) throw new Error(read.detail)
}
