import {
  type ClientCapabilities,
  type Implementation,
  Invalid,
  isImplementation,
  JsonRpc,
  Meta,
  type Revision
} from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type { CallError } from "../ClientError.ts"
import type { RequestOptions, Session } from "../Session.ts"
import type { Link } from "./Link.ts"
import { asItIs, type Description, exchange, make, type Manner } from "./session.ts"

/** What a server says of itself when asked. @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover */
export interface Discovered extends Description {
  readonly supportedVersions: ReadonlyArray<string>
}

export const isStrings = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

/** Reads a discover result; a text says what is wrong with it. */
export const readDiscovered = (result: JsonRpc.JsonObject): Discovered | string => {
  const { capabilities, instructions, resultType = "complete", supportedVersions } = result
  if (resultType !== "complete") return "a discover result of a type that is not complete"
  if (!isStrings(supportedVersions)) return "supportedVersions is not a list of strings"
  if (!JsonRpc.isObject(capabilities)) return "capabilities is not an object"
  const info = Meta.of(result)[Meta.SERVER_INFO]
  return {
    supportedVersions,
    capabilities,
    server: isImplementation(info) ? info : undefined,
    instructions: typeof instructions === "string" ? instructions : undefined
  }
}

/** How a client speaks 2026-07-28 and later: every request says who asks, and in which version. */
export const manner = (revision: Revision, info: Implementation, capabilities: ClientCapabilities): Manner => ({
  revision,
  meta: {
    [Meta.PROTOCOL_VERSION]: revision.version,
    [Meta.CLIENT_INFO]: info,
    [Meta.CLIENT_CAPABILITIES]: revision.clientCapabilities(capabilities)
  },
  levelPerRequest: true,
  ping: {
    method: "server/discover",
    read: (result) => {
      const discovered = readDiscovered(result)
      return typeof discovered === "string" ? new Invalid(discovered) : discovered
    }
  },
  refuse: ({ resultType = "complete" }) => {
    if (resultType === "complete") return undefined
    return resultType === "input_required"
      ? "it asks for input, which no request of this kind may be answered with"
      : "a result type that is not known"
  }
})

/** Asks a server what it is, in the version of `manner`. */
export const discover = (
  link: Link,
  manner: Manner,
  options: RequestOptions
): Effect.Effect<JsonRpc.JsonObject, CallError> =>
  // the answer itself is judged by whoever asks: it tells a server's era
  exchange(link, { ...manner, refuse: () => undefined }, "server/discover", {}, options, asItIs)

export const open = (link: Link, manner: Manner, discovered: Discovered): Session => {
  link.settle("modern")
  const { capabilities, instructions, server } = discovered
  return make(link, manner, { capabilities, instructions, server })
}
