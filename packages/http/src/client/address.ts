import { TransportError } from "@effective-mcp/protocol/TransportError"
import * as Effect from "effect/Effect"

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
