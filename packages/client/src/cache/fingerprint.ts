import { JsonRpc, Meta } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"

/** What changes from request to request and no result depends on. */
const neutral: ReadonlySet<string> = new Set([...Meta.protectedKeys, Meta.LOG_LEVEL, "traceparent", "tracestate"])

const MAX_LENGTH = 16_384

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return ["[", ...value.map(sorted)]
  if (!JsonRpc.isObject(value)) return value
  // entries, not an object: `__proto__` is a key like any other
  const entries = Object.keys(value).toSorted()
  return ["{", ...entries.map((key) => [key, sorted(value[key])])]
}

/** Hides `text`, since it may hold credentials: what is kept tells only whether another text is the same. */
export const hidden = (text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (digest) => Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
  )

const MAX_PLACE = 256

/** Whether a cursor or a URI is too long to be kept as it is. */
export const isLong = (at: string): boolean => at.length > MAX_PLACE

/** A cursor or a URI, or, of a long one, what tells only whether another is the same. */
export const shortened = (at: string): Effect.Effect<string> =>
  isLong(at) ? Effect.map(hidden(at), (digest) => `#${digest}`) : Effect.succeed(at)

/** A fingerprint of what `_meta` says that a result may depend on; undefined when it says too much to tell. */
export const ofMeta = (meta: JsonRpc.JsonObject = {}): Effect.Effect<string | undefined> =>
  Effect.suspend(() => {
    const kept = Object.entries(meta).filter(([key]) => !neutral.has(key))
    if (kept.length === 0) return Effect.succeed("")
    try {
      // what goes out is what JSON makes of it: a date is a text, and `toJSON` has its say
      const sent: unknown = JSON.parse(JSON.stringify(Object.fromEntries(kept)))
      const text = JSON.stringify(sorted(sent))
      return text.length > MAX_LENGTH ? Effect.succeed(undefined) : hidden(text)
    } catch {
      return Effect.succeed(undefined)
    }
  })
