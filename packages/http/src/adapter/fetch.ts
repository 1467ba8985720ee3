import * as Effect from "effect/Effect"
import { concat } from "../concat.ts"
import type { HttpHandler } from "../HttpHandler.ts"
import { BodyError, type HttpRequest } from "../HttpRequest.ts"
import type { HttpResponse } from "../HttpResponse.ts"
import { Room } from "../Room.ts"
import { run } from "../run.ts"

/** Parts that may wait for a reader before the next is held back. */
const AHEAD = 16

const encoder = new TextEncoder()
const nothing = new Uint8Array(0)

/** Counts a body of unknown length while it comes. */
const count = async (body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> => {
  const reader = body.getReader()
  const parts: Array<Uint8Array> = []
  let size = 0
  while (true) {
    const { done, value } = await reader.read()
    if (done) return concat(parts, size)
    size += value.length
    if (size > limit) {
      reader.cancel().catch(() => {})
      throw new BodyError({ reason: "TooLarge" })
    }
    parts.push(value)
  }
}

const read = (request: Request, limit: number, onRead: () => void): Effect.Effect<Uint8Array, BodyError> =>
  Effect.suspend(() => {
    const { body } = request
    if (body === null) {
      queueMicrotask(onRead)
      return Effect.succeed(nothing)
    }
    const hasLength = request.headers.has("content-length")
    return Effect.tryPromise({
      try: async () => {
        const bytes = hasLength ? new Uint8Array(await request.arrayBuffer()) : await count(body, limit)
        // after the handler has gone on with it
        queueMicrotask(() => queueMicrotask(onRead))
        if (bytes.length > limit) throw new BodyError({ reason: "TooLarge" })
        return bytes
      },
      catch: (cause) => (cause instanceof BodyError ? cause : new BodyError({ reason: "Broken" }))
    })
  })

/** Some runtimes tell the host by the URL alone; one that a request without a host has may be no whole URL. */
const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

const requestOf = (request: Request, onRead: () => void): HttpRequest => ({
  method: request.method,
  url: request.url,
  header: (name) => request.headers.get(name) ?? (name === "host" ? hostOf(request.url) : undefined),
  body: (limit) => read(request, limit, onRead)
})

/** Serves a handler as a function of web standards: for `Bun.serve`, `Deno.serve`, Workers, Hono and the like. */
export const toFetch =
  (handler: HttpHandler) =>
  (request: Request): Promise<Response> =>
    new Promise((resolve) => {
      let isBegun = false
      let isOver = false
      let stream: ReadableStreamDefaultController<Uint8Array> | undefined
      const room = new Room()
      const hasRoom = (): boolean => isOver || stream === undefined || (stream.desiredSize ?? 0) > 0
      const response: HttpResponse = {
        whole: (status, headers, text) => {
          if (isOver || isBegun) return
          isBegun = true
          isOver = true
          resolve(new Response(text ?? null, { status, headers }))
        },
        head: (status, headers) => {
          if (isOver || isBegun) return
          isBegun = true
          const body = new ReadableStream<Uint8Array>(
            {
              start: (controller) => {
                stream = controller
              },
              pull: room.wake,
              cancel: () => leave()
            },
            { highWaterMark: AHEAD }
          )
          resolve(new Response(body, { status, headers }))
        },
        write: (text) =>
          Effect.suspend(() => {
            if (isOver || stream === undefined) return Effect.void
            stream.enqueue(encoder.encode(text))
            return hasRoom() ? Effect.void : room.wait(hasRoom)
          }),
        offer: (text) => {
          if (!isOver && stream !== undefined && (stream.desiredSize ?? 0) > 0) stream.enqueue(encoder.encode(text))
        },
        end: (text) => {
          if (isOver || stream === undefined) return
          isOver = true
          if (text !== undefined) stream.enqueue(encoder.encode(text))
          stream.close()
          room.wake()
        }
      }
      /**
       * A stream tells by itself that its reader has left. The signal is asked only while nothing has been answered: to
       * ask costs, and Deno writes a notice when it is.
       */
      const watch = (): void => {
        if (isBegun) return
        const { signal } = request
        if (signal.aborted) leave()
        else signal.addEventListener("abort", leave, { once: true })
      }
      const fiber = run(handler, requestOf(request, watch), response, { isBegun: () => isBegun, isOver: () => isOver })
      /** Told by the stream, by the signal or by both; Deno's signal also says so after a good end. */
      const leave = (): void => {
        if (isOver) return
        isOver = true
        // nobody reads it, but a server may wait for it
        if (!isBegun) resolve(new Response(null, { status: 499 }))
        fiber.interruptUnsafe()
        // whoever else still waits
        room.wake()
      }
    })
