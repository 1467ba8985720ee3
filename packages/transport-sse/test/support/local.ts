import { JsonRpc, type PrincipalService } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { SseServer, type Options, toFetch } from "../../src/server/index.ts"

export type Headers = { readonly [name: string]: string }

/** One event, its name and its data; a comment has neither. */
export interface Said {
  readonly event: string | undefined
  readonly data: string | undefined
}

const parse = (block: string): Said => {
  const field = (name: string) =>
    block
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  return { event: field("event"), data: field("data") }
}

/** An open stream, as its client reads it. */
export interface Reading {
  readonly status: number
  readonly headers: globalThis.Headers
  /** Where messages go. */
  readonly to: string
  /** What comes next; undefined at the end. */
  readonly next: Effect.Effect<Said | undefined>
  /** The next message, past comments. */
  readonly message: Effect.Effect<JsonRpc.JsonObject>
  readonly leave: Effect.Effect<void>
}

const reading = (body: ReadableStream<Uint8Array> | null) => {
  const reader = body?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader() // cast: types of runtimes differ
  let pending = ""
  const next = Effect.promise(async (): Promise<Said | undefined> => {
    for (;;) {
      const end = pending.indexOf("\n\n")
      if (end >= 0) {
        const block = pending.slice(0, end)
        pending = pending.slice(end + 2)
        return parse(block)
      }
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done || value === undefined) return undefined
      pending += value
    }
  })
  const message: Effect.Effect<JsonRpc.JsonObject> = Effect.flatMap(next, (said) => {
    if (said === undefined) return Effect.die(new Error("the stream has ended"))
    return said.data === undefined ? message : Effect.succeed(JSON.parse(said.data))
  })
  return { next, message, leave: Effect.promise(async () => reader?.cancel()) }
}

/** An endpoint on the clock of the test, without a socket. */
export const local = Effect.fnUntraced(function* <R, P extends PrincipalService = never, RH = never>(
  hosting: SseServer.Hosting<R, RH>,
  options: Options<P> = {}
) {
  const fetch = toFetch(yield* SseServer.make(hosting, options))
  const send = (path: string, init: RequestInit): Effect.Effect<Response> =>
    Effect.promise(() => fetch(new Request(`http://localhost${path}`, init)))
  const get = (headers: Headers = {}, path = "/sse") =>
    send(path, { method: "GET", headers: { accept: "text/event-stream", ...headers } })
  const post = (to: string, message: unknown, headers: Headers = {}) =>
    send(to, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body:
        typeof message === "string" || message instanceof Uint8Array
          ? new Blob([typeof message === "string" ? message : new Uint8Array(message)])
          : JSON.stringify(message)
    })
  return {
    send,
    get,
    post,
    /** The status and the JSON that a POST is answered with. */
    ask: (to: string, message: unknown, headers: Headers = {}) =>
      Effect.flatMap(post(to, message, headers), (response) =>
        Effect.promise(async () => {
          const text = await response.text()
          return {
            status: response.status,
            headers: response.headers,
            body: text === "" ? undefined : JSON.parse(text)
          }
        })
      ),
    open: (headers: Headers = {}, path = "/sse"): Effect.Effect<Reading> =>
      Effect.flatMap(get(headers, path), (response) => {
        const { status } = response
        const { leave, message, next } = reading(response.body)
        if (status !== 200) return Effect.succeed({ status, headers: response.headers, to: "", next, message, leave })
        return Effect.map(next, (first) => ({
          status,
          headers: response.headers,
          to: first?.event === "endpoint" ? (first.data ?? "") : "",
          next,
          message,
          leave
        }))
      })
  }
})

export const initialize = (version = "2025-11-25") =>
  JsonRpc.request("init", "initialize", {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: "client of the tests", version: "1" }
  })

/** Lets what is up to promises happen, without taking any of the clock's time. */
export const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
