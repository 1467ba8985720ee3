import { type Connection, JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { equal, Mismatch, transportErrorOf } from "../Mismatch.ts"
import { deaf } from "./Clause.ts"
import type { Strike, Way, Wire } from "./Wire.ts"

/** How long what is due at once may take, in ms. */
const PROMPT = 3_000

/** A wire under test, connected once. */
export interface Blow {
  readonly peer: Connection
  readonly connect: Wire["connect"]
  readonly strike: (strike: Strike, way: Way) => Effect.Effect<void, unknown>
  readonly ran: (key: string) => Effect.Effect<number, unknown>
  /** Whether the transport comes back to an answer whose wire broke. */
  readonly resumes: boolean
  /** To be checked once the transport has run anew: whatever was still on its way has arrived by then. */
  readonly after: (check: Effect.Effect<void, unknown>) => void
}

/** One rule about one fault, and how to see whether it holds. */
export interface FaultClause {
  readonly name: string
  readonly needs: ReadonlyArray<Strike>
  readonly check: (blow: Blow) => Effect.Effect<void, unknown, Scope.Scope>
}

/** A call that counts its runs under `key`. */
export const callOf = (key: string, id: JsonRpc.RequestId = key, holds = false): JsonRpc.Request =>
  JsonRpc.request(id, "tools/call", { name: "count", arguments: { key, holds } })

/** Fails when it is not over in 3 s, also for what will not be interrupted. */
export const promptly = <A, E>(effect: Effect.Effect<A, E>, what: string): Effect.Effect<A, E | Mismatch> =>
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (running) =>
    Fiber.join(running).pipe(
      Effect.timeoutOrElse({
        duration: PROMPT,
        orElse: () => Effect.fail(new Mismatch({ what, expected: `an end within ${PROMPT} ms`, actual: "none" }))
      }),
      Effect.ensuring(Effect.sync(() => running.interruptUnsafe()))
    )
  )

type Ended = Exit.Exit<JsonRpc.Response, unknown>

/** The end of an exchange that has to end by itself. */
export const endOf = (
  exchange: Effect.Effect<JsonRpc.Response, unknown>,
  what: string
): Effect.Effect<Ended, Mismatch> => promptly(Effect.exit(exchange), what)

/** Whether it ended with its own answer. */
const isOwn = (exit: Ended, { id, params }: JsonRpc.Request): boolean => {
  if (!Exit.isSuccess(exit) || exit.value.id !== id) return false
  const asked = params?.arguments as { readonly key?: unknown } | undefined // cast: `callOf` makes them
  return JsonRpc.isSuccess(exit.value) && exit.value.result.key === asked?.key
}

/**
 * The rules that hold for every call on every wire, whatever befalls it: it ends with its own answer or with a
 * `TransportError`, runs at most once, and what it says of having run is true.
 */
export const expectTruth = Effect.fnUntraced(function* (blow: Pick<Blow, "ran">, call: JsonRpc.Request, exit: Ended) {
  const key = String((call.params?.arguments as { readonly key?: unknown } | undefined)?.key) // cast: as above
  const ran = yield* blow.ran(key)
  if (ran > 1) return yield* new Mismatch({ what: `how often call ${key} ran`, expected: "at most once", actual: ran })
  if (Exit.isSuccess(exit)) {
    if (!JsonRpc.isSuccess(exit.value) && exit.value.id === call.id) return "Refused" as const
    yield* equal(isOwn(exit, call), true, `whether ${JSON.stringify(exit.value)} is the answer to call ${key}`)
    yield* equal(ran, 1, `how often call ${key}, which was answered, ran`)
    return "Answered" as const
  }
  const { outcome } = yield* transportErrorOf(exit, `the end of call ${key}`)
  if (outcome !== "Unknown") yield* equal(ran, 0, `how often call ${key}, which fails as ${outcome}, ran`)
  return outcome
})

/** An exchange that has nothing to do with any fault gets its own answer. */
export const expectService = (peer: Connection, id: JsonRpc.RequestId): Effect.Effect<void, unknown> =>
  Effect.flatMap(promptly(peer.exchange(JsonRpc.request(id, "echo", { id }), deaf), `exchange ${id}`), (response) =>
    equal(response, JsonRpc.success(id, { id }), `the answer to exchange ${id}`)
  )
