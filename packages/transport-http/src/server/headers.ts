import { HeaderParams, HeaderValue, HttpEra, type JsonRpc, Meta } from "@effective-mcp/protocol"
import type { HttpRequest } from "@effective-mcp/http"
import { METHOD, NAME, VERSION } from "../headerNames.ts"
import type { ParamHeader } from "./ParamHeaders.ts"

export { LAST_EVENT, METHOD, NAME, SESSION, VERSION } from "../headerNames.ts"

/** What a mismatch says of a header, after its name. */
const words = {
  Missing: "is missing",
  Unexpected: "has no value in the body",
  Malformed: "is malformed",
  Different: "does not match the body"
} as const

const compare = (name: string, header: string | undefined, value: unknown): string | undefined => {
  const wrong = HeaderValue.mismatch(header, value)
  return wrong === undefined ? undefined : `${name} ${words[wrong]}`
}

/** A header that is never encoded. */
const plain = (name: string, header: string | undefined, value: unknown): string | undefined => {
  if (header === value) return undefined
  return `${name} ${header === undefined ? words.Missing : words.Different}`
}

/**
 * How the headers of a modern request disagree with its body, if they do; without `params` all but `Mcp-Param-*`. A
 * version that the body does not name is for whoever reads the body to refuse.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 */
export const disagreement = (request: HttpRequest, message: JsonRpc.Request): string | undefined => {
  const named = Meta.of(message.params)[Meta.PROTOCOL_VERSION]
  const header = request.header(VERSION)
  if (header === undefined) return `MCP-Protocol-Version ${words.Missing}`
  const wrong =
    (named === undefined ? undefined : plain("MCP-Protocol-Version", header, named)) ??
    plain("Mcp-Method", request.header(METHOD), message.method)
  if (wrong !== undefined) return wrong
  const name = HttpEra.nameOf(message)
  return name === undefined ? undefined : compare("Mcp-Name", request.header(NAME), name.value)
}

/** How the `Mcp-Param-*` headers of a tool call disagree with its arguments, if they do. */
export const paramDisagreement = (
  request: HttpRequest,
  { params }: JsonRpc.Request,
  headers: ReadonlyArray<ParamHeader>
): string | undefined => {
  for (const { header, path } of headers) {
    const wrong = compare(header, request.header(header.toLowerCase()), HeaderParams.valueAt(params?.arguments, path))
    if (wrong !== undefined) return wrong
  }
  return undefined
}
