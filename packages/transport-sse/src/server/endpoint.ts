import { type HttpRequest, pathOf } from "@effective-mcp/http"

/** The parameter that names a session. */
const NAME = "sessionId"

/** The address that a client is told to send its messages to; one that a program names is taken as it stands. */
export const endpointFor = ({ url }: HttpRequest, named: string | undefined, id: string): string => {
  // two slashes would begin the name of another host, and some take a backslash for one
  const base = named ?? `/${pathOf(url).replace(/^[/\\]+/, "")}`
  return `${base}${base.includes("?") ? "&" : "?"}${NAME}=${id}`
}

/** Refuses an address that no client could resolve. A mistake of the author: it throws. */
export const requireEndpoint = (named: string): void => {
  if (!/^(\/(?!\/)|https?:\/\/[^/])[\x21-\x22\x24-\x7e]*$/.test(named)) {
    throw new Error(`messages is neither a path nor a URL: ${named}`)
  }
}

/** The session that a request names; undefined for none, null for what is no name, or several. */
export const sessionOf = ({ url }: HttpRequest): string | null | undefined => {
  const at = url.indexOf("?")
  const names = at < 0 ? [] : new URLSearchParams(url.slice(at)).getAll(NAME)
  const [name] = names
  if (name === undefined) return undefined
  return names.length === 1 && /^[\w-]{1,256}$/.test(name) ? name : null
}
