import type { BadAddress, LocalCommand } from "./DetectError.ts"

export interface Address {
  readonly _tag: "Address"
  readonly url: string
  /** The address as errors show it: without its query, which may hold a secret. */
  readonly shown: string
}

const bad = (what: string): BadAddress => ({ _tag: "BadAddress", what })

/** Schemes that lead to a program on this machine. */
const LOCAL = /^(?:stdio|file):/i
const HTTP = /^https?:/i
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i

/** Reads what should be the address of a server over HTTP. */
export const addressOf = (given: string | URL): Address | BadAddress | LocalCommand => {
  const text = String(given).trim()
  if (text === "") return bad("it is empty")
  if (!HTTP.test(text)) {
    return LOCAL.test(text) || !SCHEME.test(text) ? { _tag: "LocalCommand" } : bad("it is neither http: nor https:")
  }
  const url = URL.parse(text)
  if (url === null) return bad("it is no URL")
  if (url.username !== "" || url.password !== "") return bad("it has a user or a password in it: use headers")
  url.hash = ""
  return { _tag: "Address", url: url.href, shown: url.origin + url.pathname }
}
