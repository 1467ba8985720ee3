import {
  type ClientCapabilities,
  type Implementation,
  isImplementation,
  JsonRpc,
  legacyRevisions,
  type Revision,
  versionsOf,
  Violation
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { type ConnectError, NoCommonRevision, some } from "../ClientError.ts"
import type { Session } from "../Session.ts"
import type { Link } from "./Link.ts"
import { asItIs, exchange, make, type Manner } from "./session.ts"

const manner = (revision: Revision): Manner => ({
  revision,
  meta: {},
  ping: { method: "ping", read: asItIs },
  refuse: ({ resultType = "complete" }) =>
    resultType === "complete" ? undefined : "a result type, which this revision does not have"
})

const method = "initialize"

/**
 * Begins a session with a legacy server: `initialize`, then `notifications/initialized`.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
 */
export const open = Effect.fnUntraced(function* (
  link: Link,
  info: Implementation,
  capabilities: ClientCapabilities
): Effect.fn.Return<Session, ConnectError> {
  const [newest] = legacyRevisions
  const params = { protocolVersion: newest.version, capabilities, clientInfo: info }
  const result = yield* Effect.catchTag(
    exchange(link, manner(newest), method, params, {}, asItIs),
    ["NotOffered", "InputRequired"],
    Effect.die
  )
  const broken = (detail: string) => new Violation({ revision: newest.version, method, detail })
  const { instructions, protocolVersion } = result
  if (typeof protocolVersion !== "string") return yield* broken("protocolVersion is not a string")
  const revision = legacyRevisions.find(({ version }) => version === protocolVersion)
  if (revision === undefined) {
    return yield* new NoCommonRevision({
      ours: versionsOf(legacyRevisions),
      theirs: some([protocolVersion]),
      advice: "Only an older or newer release of one side can bridge that."
    })
  }
  if (!JsonRpc.isObject(result.capabilities)) return yield* broken("capabilities is not an object")
  if (!isImplementation(result.serverInfo)) return yield* broken("serverInfo is not an implementation")
  link.settle("legacy")
  yield* link.notify("notifications/initialized")
  return make(link, manner(revision), {
    capabilities: result.capabilities,
    server: result.serverInfo,
    instructions: typeof instructions === "string" ? instructions : undefined
  })
})
