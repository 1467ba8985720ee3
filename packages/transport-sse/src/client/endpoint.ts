import { originOf } from "@effective-mcp/http/client"
import { TransportError } from "@effective-mcp/protocol"

/** Characters of an endpoint that a server may name. */
const LONGEST = 8_192

const otherOrigin = (url: URL): TransportError =>
  TransportError.make({ _tag: "Redirected", status: 200, to: originOf(url), why: "Endpoint" }, "NotSent")

/**
 * Where messages go, by what the server says of it: relative to the address of its stream, and on the same origin. One
 * that the program has fixed stays, but for a query that it does not have.
 *
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export const resolve = (said: string, stream: string, fixed: string | undefined): string | TransportError => {
  const text = said.trim()
  const url = text === "" || text.length > LONGEST ? null : URL.parse(text, stream)
  if (url === null)
    return TransportError.make({ _tag: "Malformed", detail: "an endpoint that is no address" }, "NotSent")
  url.hash = ""
  if (fixed !== undefined) {
    const own = new URL(fixed)
    if (own.search === "") own.search = url.search
    return own.href
  }
  const isSame = url.origin === new URL(stream).origin && url.username === "" && url.password === ""
  return isSame ? url.href : otherOrigin(url)
}
