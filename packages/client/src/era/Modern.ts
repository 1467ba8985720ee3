import {
  type ClientCapabilities,
  type DiscoverResult,
  type Implementation,
  Invalid,
  isImplementation,
  JsonRpc,
  Meta,
  type Revision
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { CallError } from "../ClientError.ts"
import type { Hub } from "../Hub.ts"
import { toSend } from "../Send.ts"
import type { RequestOptions } from "../Session.ts"
import type { Line } from "./Line.ts"
import type { Link } from "./Link.ts"
import { listAgain, listFirst } from "./listing.ts"
import type { Spoken } from "./Remedy.ts"
import { watchModern } from "./watchModern.ts"
import { asItIs, type Description, exchange, make, type Manner } from "./session.ts"

/** What a server says of itself when asked. @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover */
export interface Discovered extends Description {
  readonly supportedVersions: ReadonlyArray<string>
}

export const isStrings = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

/** The server as a result says that it is. */
const serverIn = (result: JsonRpc.JsonObject): Implementation | undefined => {
  const info = Meta.of(result)[Meta.SERVER_INFO]
  return isImplementation(info) ? info : undefined
}

/** Reads a discover result; a text says what is wrong with it. */
export const readDiscovered = (result: JsonRpc.JsonObject): Discovered | string => {
  const { capabilities, instructions, resultType = "complete", supportedVersions } = result
  if (resultType !== "complete") return "a discover result of a type that is not complete"
  if (!isStrings(supportedVersions)) return "supportedVersions is not a list of strings"
  if (!JsonRpc.isObject(capabilities)) return "capabilities is not an object"
  return {
    supportedVersions,
    capabilities,
    server: serverIn(result),
    instructions: typeof instructions === "string" ? instructions : undefined
  }
}

/** How a client speaks 2026-07-28 and later: every request says in which version, what can be asked of us, and who we are. */
export const manner = (
  revision: Revision,
  info: Implementation | undefined,
  capabilities: ClientCapabilities
): Manner => ({
  revision,
  meta: {
    [Meta.PROTOCOL_VERSION]: revision.version,
    ...(info === undefined ? undefined : { [Meta.CLIENT_INFO]: info }),
    [Meta.CLIENT_CAPABILITIES]: revision.clientCapabilities(capabilities)
  },
  kept: { level: undefined },
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
  Effect.withFiber((fiber) =>
    exchange(fiber, link, { ...manner, refuse: () => undefined }, "server/discover", {}, options, asItIs)
  )

/** The same, read as its revision says. */
export const discovery = (
  link: Link,
  manner: Manner,
  options: RequestOptions
): Effect.Effect<DiscoverResult, CallError> =>
  Effect.withFiber((fiber) =>
    exchange(fiber, link, manner, "server/discover", {}, options, (result) => {
      const codec = manner.revision.openings["server/discover"]
      return codec === undefined ? new Invalid("a revision that has no discovery") : codec.decodeResult(result)
    })
  )

export const open = (link: Link, manner: Manner, discovered: Discovered, line: Line, hub: Hub): Spoken => {
  link.settle("modern")
  line.settle(manner.revision)
  const { capabilities, instructions } = discovered
  let { server } = discovered
  const note = (result: JsonRpc.JsonObject): void => {
    server = serverIn(result) ?? server
  }
  const asking = make(link, { ...manner, note }, { capabilities, instructions, server })
  const send = listFirst(asking.send, line, link)
  return {
    ...asking,
    send,
    request: toSend(send),
    identity: () => server,
    watch: watchModern(link, manner, hub, line),
    hub,
    remedy: listAgain(asking.request, line, hub)
  }
}
