import { TransportError } from "@effective-mcp/protocol/TransportError"

/** What runtimes call a connection that could not be made; none of these comes of one that was. */
const neverMade: ReadonlyMap<string, string> = new Map([
  ["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"],
  ["ConnectionRefused", "ECONNREFUSED"],
  ["ECONNREFUSED", "ECONNREFUSED"],
  ["FailedToOpenSocket", "ECONNREFUSED"],
  ["DNSResolveFailed", "ENOTFOUND"],
  ["ENOTFOUND", "ENOTFOUND"]
])

/** A certificate that was refused, which ends a handshake. What else goes wrong in TLS may do so at any time. */
const CERTIFICATE = /^(?:CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/

const connecting: ReadonlySet<unknown> = new Set(["connect", "getaddrinfo"])

/** Where Deno, which has no codes, begins to say why there is no connection; no URL holds a space. */
const DENO = "client error (Connect): "

const phrases: ReadonlyArray<readonly [RegExp, string]> = [
  [/connection refused/i, "ECONNREFUSED"],
  [/dns error|failed to lookup|name or service not known|nodename nor servname/i, "ENOTFOUND"],
  [/network is unreachable/i, "ENETUNREACH"],
  [/no route to host/i, "EHOSTUNREACH"],
  [/invalid peer certificate/i, "CERT_INVALID"]
]

const chainOf = (error: unknown): ReadonlyArray<Error> => {
  const chain: Array<Error> = []
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) {
    chain.push(at)
    // one attempt an address
    if (at instanceof AggregateError && at.errors[0] instanceof Error) chain.push(at.errors[0])
  }
  return chain
}

const codeIn = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : "")

/** The code for what kept a connection from being made; undefined when there may have been one. */
const codeOf = (error: unknown): string | undefined => {
  for (const link of chainOf(error)) {
    const code = codeIn(link)
    const hasCall = "syscall" in link && link.syscall !== undefined
    if (CERTIFICATE.test(code) || (hasCall && code !== "" && connecting.has(link.syscall))) return code
    if (!hasCall && neverMade.has(code)) return neverMade.get(code)
    const at = link.message.indexOf(DENO)
    const why = at < 0 ? undefined : link.message.slice(at + DENO.length)
    if (why !== undefined) return phrases.find(([phrase]) => phrase.test(why))?.[1] ?? "ECONNABORTED"
  }
  return undefined
}

/** An address as errors show it: without what may be a secret. */
export const shown = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

const unreachable = (url: string, code: string | undefined, cause: unknown): TransportError => {
  const what = `no server answers at ${shown(url)}`
  return TransportError.make({ _tag: "Unreachable", what, ...(code === undefined ? {} : { code }), cause }, "NotSent")
}

/** Why a request that had no connection was not sent. */
export const unconnected = (error: unknown, url: string): TransportError =>
  unreachable(
    url,
    codeOf(error) ??
      chainOf(error)
        .map(codeIn)
        .find((code) => code !== ""),
    error
  )

/** Why a request had no answer: the error says that nobody could be reached, or else it may have run. */
export const unanswered = (error: unknown, url: string): TransportError => {
  const code = codeOf(error)
  return code === undefined ? broken(error) : unreachable(url, code, error)
}

/** A wire that broke: what was asked for may have run. */
export const broken = (error: unknown): TransportError => TransportError.make({ _tag: "Closed", cause: error })

/** A body that is not in the encoding that it says it is. */
export const undecodable = (): TransportError =>
  TransportError.make({ _tag: "Malformed", detail: "the body is not in the encoding that it says it is" })

/** Something of the request that no HTTP request can carry. */
export const unsendable = (cause: unknown): TransportError =>
  TransportError.make({ _tag: "Unsendable", cause }, "NotSent")
