import { TransportError } from "@effective-mcp/protocol/TransportError"
import * as Effect from "effect/Effect"

/** Where an address leads, as errors show it: its origin, or its scheme where that has none. */
export const originOf = ({ origin, protocol }: URL): string => (origin === "null" ? protocol : origin)

/** A program's address of a server as requests have it; fails for one that no request can be sent to. */
export const addressOf = (given: string | URL, name = "address"): Effect.Effect<string, TransportError> => {
  const url = URL.parse(String(given))
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") {
    url.hash = ""
    return Effect.succeed(url.href)
  }
  const what = `the ${name} is no http: or https: URL without credentials`
  return Effect.fail(TransportError.make({ _tag: "Unreachable", what }, "NotSent"))
}
