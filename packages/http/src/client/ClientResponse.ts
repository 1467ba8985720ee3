import { TransportError } from "@effective-mcp/protocol/TransportError"
import * as Effect from "effect/Effect"
import { concat } from "../concat.ts"
import type { Headers } from "../HttpResponse.ts"

/** The answer to a request, as its head has come. What its encoding hides is expanded while it is read. */
export interface ClientResponse {
  readonly status: number
  /** A header by its lower-case name; several of one name are joined by `, `. */
  readonly header: (name: string) => string | undefined
  /** The next bytes of the body; undefined at its end. One reader. */
  readonly read: Effect.Effect<Uint8Array | undefined, TransportError>
  /** All that is left of the body: at most `limit` bytes, else it fails with `TooLarge`. */
  readonly whole: (limit: number) => Effect.Effect<Uint8Array, TransportError>
  /** Lets go of what nobody reads. */
  readonly discard: () => void
}

export const tooLarge = (limit: number): TransportError => TransportError.make({ _tag: "TooLarge", limit })

/** Reads part by part until the end. */
export const collect = (
  read: ClientResponse["read"],
  limit: number,
  discard: () => void
): Effect.Effect<Uint8Array, TransportError> =>
  Effect.suspend(() => {
    const parts: Array<Uint8Array> = []
    let size = 0
    const next: Effect.Effect<Uint8Array, TransportError> = Effect.flatMap(read, (part) => {
      if (part === undefined) return Effect.succeed(concat(parts, size))
      size += part.length
      if (size > limit) {
        discard()
        return Effect.fail(tooLarge(limit))
      }
      parts.push(part)
      return next
    })
    return next
  })

const encoder = new TextEncoder()

/** An answer that no server gave: from a cache, or of an interceptor's own. */
export const make = ({
  body = "",
  headers = {},
  status
}: {
  readonly status: number
  readonly headers?: Headers
  readonly body?: string | Uint8Array
}): ClientResponse => {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  let left: Uint8Array | undefined = typeof body === "string" ? encoder.encode(body) : body
  const read = Effect.sync(() => {
    const part = left
    left = undefined
    return part
  })
  const discard = (): void => {
    left = undefined
  }
  return {
    status,
    header: (name) => lower.get(name),
    read,
    whole: (limit) => collect(read, limit, discard),
    discard
  }
}
