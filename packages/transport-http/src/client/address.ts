import { TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"

/** The address of an endpoint; fails for one that no request can be sent to. */
export const addressOf = (given: string | URL): Effect.Effect<string, TransportError> => {
  const url = URL.parse(String(given))
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") {
    url.hash = ""
    return Effect.succeed(url.href)
  }
  const what = "the address is no http: or https: URL without credentials"
  return Effect.fail(TransportError.make({ _tag: "Unreachable", what }, "NotSent"))
}
