import * as Effect from "effect/Effect"

type Headers = { readonly [name: string]: string }

/** A stream of HTTP+SSE, read by hand. Leaving the scope leaves the stream. */
export const openSse = Effect.fnUntraced(function* (url: string, headers: Headers = {}) {
  const leaving = new AbortController()
  yield* Effect.addFinalizer(() => Effect.sync(() => leaving.abort()))
  const response = yield* Effect.promise(() =>
    fetch(url, { headers: { accept: "text/event-stream", ...headers }, signal: leaving.signal })
  )
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let said = ""
  /** Reads on until `found` finds something in all that was said, or the stream ends. */
  const until = (found: (said: string) => boolean) =>
    Effect.promise(async () => {
      while (!found(said)) {
        const part = await reader?.read()
        if (part?.value === undefined) return `${said}(end)`
        said += part.value
      }
      return said
    })
  const post = (message: object, own: Headers = {}) =>
    Effect.gen(function* () {
      const [, endpoint = ""] = /data: ?(\S+)/.exec(yield* until((text) => /data: ?\S+\n/.test(text))) ?? []
      return yield* Effect.promise(async (signal) => {
        const { status } = await fetch(new URL(endpoint, url), {
          method: "POST",
          headers: { "content-type": "application/json", ...headers, ...own },
          body: JSON.stringify({ jsonrpc: "2.0", ...message }),
          signal
        })
        return status
      })
    })
  return { status: response.status, until, post }
})
