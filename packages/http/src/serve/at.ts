import * as Effect from "effect/Effect"
import type { HttpHandler } from "../HttpHandler.ts"

/** The path of a request's target, which is a path or a whole URL. */
export const pathOf = (url: string): string => {
  const path = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "")
  return path.replace(/[?#].*$/s, "")
}

const nothing: HttpHandler = (_request, response) =>
  Effect.sync(() => response.whole(404, { "content-type": "text/plain" }, "Not found: there is no endpoint here"))

/** Leads each request to the handler of its path, which is looked up as it stands. */
export const at = (
  handlers: { readonly [path: string]: HttpHandler },
  otherwise: HttpHandler = nothing
): HttpHandler => {
  const known = new Map(Object.entries(handlers))
  return (request, response) =>
    (known.get(request.url) ?? known.get(pathOf(request.url)) ?? otherwise)(request, response)
}
