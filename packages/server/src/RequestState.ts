import { limits } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { deriveKey, open, seal, type SealingKey } from "./ask/sealed.ts"

/** Seals what a call has been told, so that it can travel through its client between rounds. */
export interface RequestStateService {
  /** Seals a text; it opens only with the same `bound`, and for a while. */
  readonly seal: (text: string, bound: string) => Effect.Effect<string>
  /** Undefined when it was not sealed here or has been changed, when it belongs elsewhere, or when its time is up. */
  readonly open: (sealed: string, bound: string) => Effect.Effect<string | undefined>
}

/** Bytes as they are, or the bytes of a text. */
export type Secret = string | Uint8Array | Redacted.Redacted<string | Uint8Array>

export interface Options {
  /**
   * Secrets of 32 random bytes or more, the newest first: it seals, and all of them open. Nodes that share them serve
   * each other's clients. To change one, add the new one last everywhere, then move it to the front, then drop the old.
   */
  readonly keys: readonly [Secret, ...ReadonlyArray<Secret>]
  /** How long what is sealed can be opened, in ms. Default 300,000. */
  readonly lifeMs?: number | undefined
}

/** Bytes of the shortest secret. */
const SHORTEST = 32

const encoder = new TextEncoder()

const bytesOf = (secret: Secret): Uint8Array<ArrayBuffer> => {
  const bare = Redacted.isRedacted(secret) ? Redacted.value(secret) : secret
  const bytes = new Uint8Array(typeof bare === "string" ? encoder.encode(bare) : bare)
  if (bytes.length < SHORTEST) throw new Error(`a key of RequestState has ${SHORTEST} bytes or more`)
  return bytes
}

/** Seals with AES-256-GCM; a secret that is too short is a mistake of the author: it throws. */
export const make = ({ keys, lifeMs = limits.requestStateMs }: Options): RequestStateService => {
  if (!(lifeMs > 0)) throw new Error(`lifeMs is no time: ${lifeMs}`)
  const secrets = keys.map(bytesOf)
  if (secrets.length === 0) throw new Error("RequestState needs a key")
  let derived: Promise<ReadonlyArray<SealingKey>> | undefined
  const derive = () => (derived ??= Promise.all(secrets.map(deriveKey)))
  return {
    seal: (text, bound) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.promise(async () => seal((await derive())[0]!, text, bound, now + lifeMs))
      ),
    open: (sealed, bound) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.promise(async () => open(await derive(), sealed, bound, now))
      )
  }
}

/**
 * How a server seals `requestState`. Without a layer the key is random and the process's own: a client whose next round
 * reaches another node, or the process after a restart, is refused and begins again.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow
 */
export const RequestState: Context.Reference<RequestStateService> = /* @__PURE__ */ Context.Reference(
  "@effective-mcp/server/RequestState",
  { defaultValue: () => make({ keys: [crypto.getRandomValues(new Uint8Array(SHORTEST))] }) }
)

/**
 * Keys of one's own, shared by all nodes of a server.
 *
 * ```ts no-run
 * serve(server).pipe(Effect.provide(RequestState.layer({ keys: [secret] })))
 * // over HTTP, for `mount` of `@effective-mcp/http/mount`
 * HttpServer.make(server).pipe(Effect.provide(RequestState.layer({ keys: [secret] })))
 * ```
 */
export const layer = (options: Options): Layer.Layer<never> =>
  Layer.effect(RequestState)(Effect.sync(() => make(options)))
