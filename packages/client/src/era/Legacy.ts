import {
  isImplementation,
  JsonRpc,
  legacyRevisions,
  type Revision,
  versionsOf,
  Violation
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { type CallError, type ConnectError, NoCommonRevision, some } from "../ClientError.ts"
import { type Send, type Sender, toSend } from "../Send.ts"
import { concerns, note } from "./Kept.ts"
import type { Line } from "./Line.ts"
import type { Link } from "./Link.ts"
import type { Profile } from "./Negotiate.ts"
import type { Spoken } from "./Remedy.ts"
import { asItIs, exchange, make, type Manner } from "./session.ts"
import { watchLegacy } from "./watchLegacy.ts"

const manner = (revision: Revision): Manner => ({
  revision,
  meta: {},
  ping: { method: "ping", read: asItIs },
  refuse: ({ resultType = "complete" }) =>
    resultType === "complete" ? undefined : "a result type, which this revision does not have"
})

const method = "initialize"

/** Tells a session what the one before it had been told; what it refuses is let be. */
const tellAgain = (request: Send, { kept }: Profile): Effect.Effect<void, CallError> => {
  const { level } = kept
  const orNot = <A>(said: Effect.Effect<A, CallError>): Effect.Effect<unknown, CallError> =>
    Effect.catchTag(said, "RpcError", ({ code }) =>
      Effect.logWarning(`The new session refuses what the one before it had granted: ${code}`)
    )
  return Effect.andThen(
    level === undefined ? Effect.void : orNot(request("logging/setLevel", { level })),
    Effect.forEach([...kept.uris], (uri) => orNot(request("resources/subscribe", { uri })), {
      concurrency: 8,
      discard: true
    })
  )
}

/**
 * Begins a session with a legacy server: `initialize`, then `notifications/initialized`.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
 */
export const open = Effect.fnUntraced(function* (
  link: Link,
  line: Line,
  profile: Profile
): Effect.fn.Return<Spoken, ConnectError> {
  const { capabilities, hub, info, kept, pin } = profile
  const offered = pin ?? legacyRevisions[0]
  const params = {
    protocolVersion: offered.version,
    capabilities: offered.clientCapabilities(capabilities),
    clientInfo: info
  }
  const result = yield* Effect.catchTag(
    Effect.withFiber((fiber) => exchange(fiber, link, manner(offered), method, params, {}, asItIs)),
    ["NotOffered", "InputRequired", "Withheld"],
    Effect.die
  )
  const broken = (detail: string) => new Violation({ revision: offered.version, method, detail })
  const { instructions, protocolVersion } = result
  if (typeof protocolVersion !== "string") return yield* broken("protocolVersion is not a string")
  const allowed = pin === undefined ? legacyRevisions : [pin]
  const revision = allowed.find(({ version }) => version === protocolVersion)
  if (revision === undefined) {
    return yield* new NoCommonRevision({
      ours: versionsOf(allowed),
      theirs: some([protocolVersion]),
      advice:
        pin === undefined
          ? "Only an older or newer release of one side can bridge that."
          : "Leave out the revision to speak whatever both know."
    })
  }
  if (!JsonRpc.isObject(result.capabilities)) return yield* broken("capabilities is not an object")
  if (!isImplementation(result.serverInfo)) return yield* broken("serverInfo is not an implementation")
  link.settle("legacy")
  yield* link.notify("notifications/initialized")
  line.settle(revision)
  const asking = make(link, manner(revision), {
    capabilities: result.capabilities,
    server: result.serverInfo,
    instructions: typeof instructions === "string" ? instructions : undefined
  })
  const again = Effect.catchTag(
    tellAgain(asking.request, profile),
    ["NotOffered", "InputRequired", "Withheld"],
    () => Effect.void
  )
  yield* again
  const { isWatched, watch } = watchLegacy(asking.request, asking.capabilities, hub, line, kept)
  /** What is kept changes with what the server has agreed to; it goes on telling of what somebody watches. */
  const keep: Sender = (fiber, method, params, options) => {
    const { uri } = params as { readonly uri?: string } // cast: only resources have one
    const isNeeded = method === "resources/unsubscribe" && uri !== undefined && isWatched(uri)
    const done = isNeeded
      ? Effect.succeed({} as never) // cast: an empty result
      : asking.send(fiber, method, params, options)
    return Effect.tap(done, () => Effect.sync(() => note(kept, method, params)))
  }
  const send: Sender = (fiber, method, params, options) =>
    concerns(method) ? keep(fiber, method, params, options) : asking.send(fiber, method, params, options)
  return {
    ...asking,
    send,
    request: toSend(send),
    tells: (list) => line.isPipe && asking.capabilities[list]?.listChanged === true,
    watch,
    hub
  }
})
