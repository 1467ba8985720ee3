import type { IncomingMessage, ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import { concat } from "../concat.ts"
import type { HttpHandler } from "../HttpHandler.ts"
import { BodyError, type HttpRequest } from "../HttpRequest.ts"
import type { Headers, HttpResponse } from "../HttpResponse.ts"
import { run } from "../run.ts"

/** Bytes of a body that nobody wants which are still taken, so that its client gets to read the answer. */
const UNWANTED = 1024 * 1024

/** What a body parser in front (Express's, for one) may have left behind. */
interface Parsed extends IncomingMessage {
  readonly body?: unknown
}

const encoder = new TextEncoder()

/** A body that was read before: as it came where it was kept so, else written again. */
const parsed = (body: unknown, limit: number): Effect.Effect<Uint8Array, BodyError> =>
  Effect.suspend(() => {
    const bytes =
      body instanceof Uint8Array ? body : encoder.encode(typeof body === "string" ? body : JSON.stringify(body ?? ""))
    return bytes.length > limit ? Effect.fail(new BodyError({ reason: "TooLarge" })) : Effect.succeed(bytes)
  })

const read = (req: IncomingMessage, limit: number): Effect.Effect<Uint8Array, BodyError> =>
  Effect.callback((resume) => {
    const parts: Array<Uint8Array> = []
    let size = 0
    const onData = (part: Uint8Array): void => {
      size += part.length
      if (size > limit) stop("TooLarge")
      else parts.push(part)
    }
    const onEnd = (): void => resume(Effect.succeed(concat(parts, size)))
    const onError = (): void => stop("Broken")
    const stop = (reason: BodyError["reason"]): void => {
      req.off("data", onData).off("end", onEnd)
      resume(Effect.fail(new BodyError({ reason })))
    }
    req.on("data", onData).on("end", onEnd).on("error", onError)
  })

/** Takes the rest of a body that nobody wants, up to a bound. */
const discard = (req: IncomingMessage): void => {
  let size = 0
  req.on("data", (part: Uint8Array) => {
    size += part.length
    if (size > UNWANTED) req.destroy()
  })
  req.resume()
}

/** Headers that come once: of several, Node keeps the first and says nothing of the others. */
const single: ReadonlySet<string> = new Set([
  "authorization",
  "content-length",
  "content-type",
  "from",
  "host",
  "if-modified-since",
  "if-unmodified-since",
  "max-forwards",
  "proxy-authorization",
  "referer",
  "user-agent"
])

/** All of them when there are several: whatever stands in front may have gone by another than the first. */
const repeated = ({ rawHeaders }: IncomingMessage, name: string): string | undefined => {
  let count = 0
  let all = ""
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const key = rawHeaders[at]!
    if (key.length !== name.length || key.toLowerCase() !== name) continue
    all = count++ === 0 ? rawHeaders[at + 1]! : `${all}, ${rawHeaders[at + 1]}`
  }
  return count > 1 ? all : undefined
}

const requestOf = (req: Parsed): HttpRequest => ({
  method: req.method ?? "",
  url: req.url ?? "",
  header: (name) => {
    const value = req.headers[name] ?? (name === "host" ? req.headers[":authority"] : undefined)
    if (typeof value === "object") return value.join(", ")
    return value !== undefined && single.has(name) ? (repeated(req, name) ?? value) : value
  },
  body: (limit) => (req.readableEnded ? parsed(req.body, limit) : read(req, limit))
})

/**
 * Serves a handler on `node:http`, and on what is built on it (Express, Fastify's `req.raw`), without a detour through
 * `Request` and `Response`.
 */
export const toNodeListener =
  (handler: HttpHandler) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    let isOver = false
    const waiting = new Set<() => void>()
    const wake = (): void => {
      // whoever wakes may wait again at once
      const all = [...waiting]
      waiting.clear()
      for (const go of all) go()
    }
    const begin = (status: number, headers: Headers): void => {
      if (!req.complete) discard(req)
      res.writeHead(status, headers)
    }
    let isWatched = false
    const room = Effect.callback<void>((resume) => {
      // the fiber may have yielded since it was full
      if (isOver || (!res.writableNeedDrain && res.socket?.destroyed !== true)) return resume(Effect.void)
      if (!isWatched) res.on("drain", wake)
      isWatched = true
      const go = (): void => resume(Effect.void)
      waiting.add(go)
      return Effect.sync(() => waiting.delete(go))
    })
    const response: HttpResponse = {
      whole: (status, headers, text) => {
        if (isOver || res.headersSent) return
        isOver = true
        // 204 has no length
        const length =
          status === 204 ? undefined : { "content-length": String(text === undefined ? 0 : Buffer.byteLength(text)) }
        begin(status, { ...headers, ...length })
        res.end(text)
      },
      head: (status, headers) => {
        if (isOver || res.headersSent) return
        begin(status, headers)
        res.flushHeaders()
      },
      write: (text) =>
        Effect.suspend(() => {
          if (isOver) return Effect.void
          // a broken connection takes everything, until "close" tells of it
          if (res.socket?.destroyed !== true && res.write(text)) return Effect.void
          return room
        }),
      offer: (text) => {
        if (!isOver && !res.writableNeedDrain) res.write(text)
      },
      end: (text) => {
        if (isOver) return
        isOver = true
        res.end(text)
        wake()
      }
    }
    const fiber = run(handler, requestOf(req), response, { isBegun: () => res.headersSent, isOver: () => isOver })
    if (fiber.pollUnsafe() !== undefined) return
    // what fails on the way is told by "close"
    res.on("error", () => {})
    res.on("close", () => {
      const hasLeft = !isOver
      isOver = true
      if (hasLeft) fiber.interruptUnsafe()
      // whoever else still waits
      wake()
    })
  }
