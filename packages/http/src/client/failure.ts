import { TransportError } from "@effective-mcp/protocol/TransportError"

/** What keeps a connection from being made, as systems and runtimes call it. */
const unreachable: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT"
])

/** Bun's own names for the same. */
const others: ReadonlyMap<string, string> = new Map([
  ["ConnectionRefused", "ECONNREFUSED"],
  ["FailedToOpenSocket", "ECONNREFUSED"],
  ["DNSResolveFailed", "ENOTFOUND"]
])

const TLS = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/

/** What runtimes say where they give no code. */
const phrases: ReadonlyArray<readonly [RegExp, string]> = [
  [/connection refused/i, "ECONNREFUSED"],
  [/dns error|failed to lookup|name or service not known|nodename nor servname/i, "ENOTFOUND"],
  [/network is unreachable/i, "ENETUNREACH"],
  [/no route to host/i, "EHOSTUNREACH"],
  [/invalid peer certificate|unknownissuer/i, "CERT_INVALID"]
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

/** The system's code for what kept a connection from being made; undefined when there may have been one. */
const codeOf = (error: unknown): string | undefined => {
  const chain = chainOf(error)
  for (const link of chain) {
    const code = "code" in link && typeof link.code === "string" ? link.code : ""
    const found = others.get(code) ?? code
    if (unreachable.has(found) || TLS.test(found)) return found
    if (found === "ETIMEDOUT" && "syscall" in link && link.syscall === "connect") return found
  }
  for (const { message } of chain) {
    for (const [phrase, code] of phrases) if (phrase.test(message)) return code
  }
  return undefined
}

/** An address as errors show it: without what may be a secret. */
export const shown = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/**
 * Why a request had no answer: nobody could be reached, so it never left; or the wire broke, after which it may have run.
 */
export const unanswered = (error: unknown, url: string): TransportError => {
  const code = codeOf(error)
  return code === undefined
    ? TransportError.make({ _tag: "Closed", cause: error })
    : TransportError.make(
        { _tag: "Unreachable", what: `no server answers at ${shown(url)}`, code, cause: error },
        "NotSent"
      )
}

/** A body that broke off. */
export const broken = (error: unknown): TransportError => TransportError.make({ _tag: "Closed", cause: error })

/** A body that is not in the encoding that it says it is. */
export const undecodable = (): TransportError =>
  TransportError.make({ _tag: "Malformed", detail: "the body is not in the encoding that it says it is" })

/** Something of the request that no HTTP request can carry. */
export const unsendable = (cause: unknown): TransportError =>
  TransportError.make({ _tag: "Unsendable", cause }, "NotSent")
