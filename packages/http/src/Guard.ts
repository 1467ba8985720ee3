import * as Effect from "effect/Effect"
import type { HttpHandler } from "./HttpHandler.ts"
import type { HttpRequest } from "./HttpRequest.ts"
import type { Refuse } from "./HttpResponse.ts"
import { remember } from "./remember.ts"

export interface Options {
  /**
   * Hosts that may be asked for: a name alone takes any port, a name with a port that one. Default: `localhost`,
   * `127.0.0.1` and `[::1]`.
   */
  readonly hosts?: ReadonlyArray<string> | undefined
  /** Origins that may ask, besides the host's own: `https://app.example.com`, exactly. Default none. */
  readonly origins?: ReadonlyArray<string> | undefined
  /**
   * Whether a proxy in front sets `X-Forwarded-Host` and `X-Forwarded-Proto`, whatever its client sends: they then
   * stand for `Host` and for the scheme. Default false.
   */
  readonly proxy?: boolean | undefined
}

/** Which header turned a request away. */
export type Refusal = "Host" | "Origin"

interface Host {
  readonly name: string
  readonly port: string | undefined
}

const HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9._-]{0,252}))(?::(\d{1,5}))?$/
const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/(.+)$/
const ports: { readonly [scheme: string]: string } = { http: "80", https: "443" }

const parseHost = (text: string): Host | undefined => {
  const found = HOST.exec(text.toLowerCase())
  return found === null ? undefined : { name: found[1] ?? "", port: found[2] }
}

/** An IPv6 address may come without its brackets. */
const parseEntry = (entry: string): Host => {
  const host = parseHost(/^[^[\]]*:[^[\]]*:/.test(entry) ? `[${entry}]` : entry)
  if (host === undefined) throw new Error(`not a host: ${entry}`)
  return host
}

const loopback = ["localhost", "127.0.0.1", "[::1]"]

/** Whether an origin is the very host that was asked; the scheme, too, where it is known. */
const isSame = (origin: string, host: Host, scheme: string | undefined): boolean => {
  const [, from = "", authority = ""] = ORIGIN.exec(origin) ?? []
  const port = ports[from]
  const other = parseHost(authority)
  if (port === undefined || other === undefined || (scheme !== undefined && scheme !== from)) return false
  return other.name === host.name && (other.port ?? port) === (host.port ?? port)
}

/**
 * Makes a guard against DNS rebinding and foreign web pages: `Host` must name one of our hosts, and an `Origin`, where
 * there is one, must be that host or listed. A list that holds what is no host or origin is a mistake of the author: it
 * throws.
 *
 * @returns what turned the request away; undefined lets it pass
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-%26-endpoint
 */
export const make = ({ hosts = loopback, origins = [], proxy = false }: Options = {}) => {
  const names = new Map<string, Set<string> | "any">()
  for (const entry of hosts) {
    const { name, port } = parseEntry(entry)
    const known = names.get(name)
    if (port === undefined || known === "any") names.set(name, "any")
    else names.set(name, (known ?? new Set()).add(port))
  }
  const listed = new Set(origins.map((origin) => origin.toLowerCase()))
  for (const origin of listed) {
    if (origin !== "null" && !(ORIGIN.test(origin) && URL.canParse(origin) && !origin.endsWith("/"))) {
      throw new Error(`not an origin: ${origin}`)
    }
  }

  /** The host that a header names, if it is one of ours. */
  const admitted = remember((said): Host | "none" => {
    const host = parseHost(said)
    const allowed = host === undefined ? undefined : names.get(host.name)
    const isOurs = allowed === "any" || allowed?.has(host?.port ?? "") === true
    return host !== undefined && isOurs ? host : "none"
  })

  return (request: HttpRequest): Refusal | undefined => {
    const said = (proxy ? request.header("x-forwarded-host") : undefined) ?? request.header("host")
    const host = said === undefined ? "none" : admitted(said)
    if (host === "none") return "Host"
    const origin = request.header("origin")?.toLowerCase()
    if (origin === undefined || listed.has(origin)) return undefined
    const scheme = proxy ? request.header("x-forwarded-proto")?.toLowerCase() : undefined
    return isSame(origin, host, scheme) ? undefined : "Origin"
  }
}

/** Where a guard stands: `false` where something else has looked already; `origins` pass it as well. */
export interface Standing {
  readonly guard?: Options | false | undefined
  readonly cors?: { readonly origins: ReadonlyArray<string> } | undefined
}

/** A handler behind a guard: what it turns away is refused (403) before anything else is said. */
export const before = ({ cors, guard = {} }: Standing, handler: HttpHandler, refuse: Refuse): HttpHandler => {
  if (guard === false) return handler
  const check = make({ ...guard, origins: [...(guard.origins ?? []), ...(cors?.origins ?? [])] })
  return (request, response) => {
    const refusal = check(request)
    return refusal === undefined
      ? handler(request, response)
      : Effect.sync(() => refuse(response, 403, `Forbidden: this ${refusal} is not allowed`))
  }
}
