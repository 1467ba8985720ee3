import { make as platform } from "@effective-mcp/http/client/platform"
import * as Effect from "effect/Effect"
import { addressOf } from "./address.ts"
import { DetectError, type DetectReason } from "./DetectError.ts"
import { type DetectOptions, probeMsOf } from "./Options.ts"
import type { Probe, Verdict } from "./Probe.ts"
import { Prober } from "./probe/Prober.ts"
import { discover, get, initialize, ping } from "./probe/requests.ts"
import { type Kind, type Transport, transportOf } from "./transportOf.ts"

/** What is at an address. */
export interface Detected {
  readonly kind: Kind
  /** Speaks with it, with the headers and interceptors that the probes had; nothing is sent before it is run. */
  readonly transport: Transport
  /** All that was sent to find out, in order. */
  readonly evidence: ReadonlyArray<Probe>
}

const isStreamable = (verdict: Verdict): boolean =>
  verdict === "Response" || verdict === "EventStream" || verdict === "ModernError"

/** Whether what answers a POST like this may be JSON-RPC with one answer each: it speaks JSON, or wants another request. */
const isPlain = (verdict: Verdict): boolean => verdict === "RpcError" || verdict === "Json" || verdict === "Refused"

/** Asks one thing after the other until it is known what is there. */
const climb = (prober: Prober): Effect.Effect<Kind, DetectReason> =>
  Effect.gen(function* () {
    const first = yield* prober.ask(ping)
    if (isStreamable(first)) return "streamable-http"
    if (first === "RpcError" && isStreamable(yield* prober.ask(discover()))) return "streamable-http"
    // a legacy server may refuse all that has no session, in words of its own
    const isRefused = first === "RpcError" || first === "Refused"
    if (isRefused && isStreamable(yield* prober.ask(initialize()))) return "streamable-http"
    if ((yield* prober.ask(get)) === "EventStream") return "sse"
    if (isPlain(first)) return "plain"
    return yield* Effect.fail<DetectReason>({ _tag: "NothingHere" })
  })

/**
 * Finds out what is at an address: a server over Streamable HTTP, over HTTP+SSE, or one that answers each POST with JSON.
 * It asks for nothing that has an effect, follows no redirect to another origin, keeps nothing open, and remembers nothing.
 *
 * @param url the address, `http:` or `https:`
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#backward-compatibility
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#backwards-compatibility
 */
export const detect = (url: string | URL, options: DetectOptions = {}): Effect.Effect<Detected, DetectError> => {
  const probeMs = probeMsOf(options)
  const { client, headers, interceptors } = options
  return Effect.suspend(() => {
    const address = addressOf(url)
    if (address._tag !== "Address") {
      return Effect.fail(new DetectError({ reason: address, address: undefined, evidence: [] }))
    }
    const found = Effect.gen(function* () {
      const prober = new Prober(address.url, client ?? (yield* platform()), options, probeMs)
      const { evidence } = prober
      const kind = yield* Effect.mapError(
        climb(prober),
        (reason) => new DetectError({ reason, address: address.shown, evidence })
      )
      return { kind, transport: transportOf(kind, address.url, { client, headers, interceptors }), evidence }
    })
    return Effect.scoped(found)
  })
}
