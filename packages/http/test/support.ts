import * as Effect from "effect/Effect"
import type { HttpRequest } from "../src/index.ts"

/** A request that nobody has sent. */
export const requestOf = ({
  body = "",
  headers = {}
}: {
  readonly body?: string | Uint8Array
  readonly headers?: Record<string, string>
}): HttpRequest & { readonly read: () => number } => {
  let read = 0
  return {
    method: "POST",
    url: "/",
    header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
    body: () =>
      Effect.sync(() => {
        read++
        return typeof body === "string" ? new TextEncoder().encode(body) : body
      }),
    read: () => read
  }
}
