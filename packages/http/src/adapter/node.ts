import type { IncomingMessage, ServerResponse } from "node:http"
import { limits } from "@effective-mcp/protocol/Limits"
import * as Effect from "effect/Effect"
import { concat } from "../concat.ts"
import type { HttpHandler } from "../HttpHandler.ts"
import { BodyError, type HttpRequest } from "../HttpRequest.ts"
import type { Headers, HttpResponse } from "../HttpResponse.ts"
import type { Intake } from "../Intake.ts"
import type { KeepAlive } from "../KeepAlive.ts"
import { Room } from "../Room.ts"
import { type Progress, run } from "../run.ts"

/** Bytes of a body that nobody wants which are taken as if it were wanted, so that its connection can be used again. */
const UNWANTED = 1024 * 1024

/** What a body parser in front (Express's, for one) may have left behind. */
interface Parsed extends IncomingMessage {
  readonly body?: unknown
}

/** A request of HTTP/2, which has a stream of its own. */
interface Streamed extends IncomingMessage {
  readonly stream?: { readonly destroy: () => void }
}

const SMALL = limits.smallBodyBytes

const encoder = new TextEncoder()
const nothing = new Uint8Array(0)
const ignore = (): void => {}

/** A body that was read before: as it came where it was kept so, else written again. */
const parsed = (body: unknown, limit: number): Effect.Effect<Uint8Array, BodyError> =>
  Effect.suspend(() => {
    const bytes =
      body instanceof Uint8Array ? body : encoder.encode(typeof body === "string" ? body : JSON.stringify(body ?? ""))
    return bytes.length > limit ? Effect.fail(new BodyError({ reason: "TooLarge" })) : Effect.succeed(bytes)
  })

const tooLarge = Effect.fail(new BodyError({ reason: "TooLarge" }))

/** A body of which all is there: it is had at once. */
const complete = (req: IncomingMessage, limit: number): Effect.Effect<Uint8Array, BodyError> => {
  if (req.readableLength > limit) return tooLarge
  const bytes: unknown = req.read()
  return Effect.succeed(bytes instanceof Uint8Array ? bytes : nothing)
}

const read = (req: IncomingMessage, limit: number, intake?: Intake): Effect.Effect<Uint8Array, BodyError> =>
  Effect.callback((resume) => {
    const parts: Array<Uint8Array> = []
    let size = 0
    const onData = (part: Uint8Array): void => {
      size += part.length
      if (size > limit) stop("TooLarge")
      else if (size > SMALL && intake?.take(stop, size) === false) stop("Busy")
      else parts.push(part)
    }
    const onEnd = (): void => done(Effect.succeed(concat(parts, size)))
    const onError = (): void => stop("Broken")
    const stop = (reason: BodyError["reason"]): void => done(Effect.fail(new BodyError({ reason })))
    const done = (body: Effect.Effect<Uint8Array, BodyError>): void => {
      // an answer may take long, and is not to hold the body for as long
      req.off("data", onData).off("end", onEnd).off("error", onError).on("error", ignore)
      if (size > SMALL) intake?.give(stop)
      resume(body)
    }
    req.on("data", onData).on("end", onEnd).on("error", onError)
    // whoever reads it waits no more
    return Effect.sync(onError)
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

/** Whether its connection can be used again once the rest of a body that nobody wants has come. */
const isKept = ({ headers }: IncomingMessage, { shouldKeepAlive }: ServerResponse): boolean =>
  // Bun does not say so by the response
  shouldKeepAlive !== false &&
  headers.connection?.toLowerCase() !== "close" &&
  Number(headers["content-length"] ?? NaN) <= UNWANTED

/**
 * Ends an answer that was sent before all of the body has come. A connection that closes while something comes loses the
 * answer, too; so what comes is taken for a while, and, past a bound, left to wait.
 */
const linger = (req: Streamed, res: ServerResponse): void => {
  let size = 0
  // other requests share the connection of a stream
  const timer = setTimeout(() => (req.stream ?? req).destroy(), limits.unwantedMs)
  req.on("data", (part: Uint8Array) => {
    size += part.length
    if (size > limits.unwantedBytes) req.pause()
  })
  req.on("end", () => res.end()).on("error", ignore)
  res.on("error", ignore).on("close", () => clearTimeout(timer))
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

class NodeRequest implements HttpRequest {
  private readonly req: Parsed

  constructor(req: Parsed) {
    this.req = req
  }

  get method(): string {
    return this.req.method ?? ""
  }

  get url(): string {
    return this.req.url ?? ""
  }

  header(name: string): string | undefined {
    const { headers } = this.req
    const value = headers[name] ?? (name === "host" ? headers[":authority"] : undefined)
    if (typeof value === "object") return value.join(", ")
    return value !== undefined && single.has(name) ? (repeated(this.req, name) ?? value) : value
  }

  body(limit: number, intake?: Intake): Effect.Effect<Uint8Array, BodyError> {
    const { req } = this
    if (req.readableEnded) return parsed(req.body, limit)
    return req.complete ? complete(req, limit) : read(req, limit, intake)
  }
}

class NodeResponse implements HttpResponse, Progress {
  private readonly req: Streamed
  private readonly res: ServerResponse
  private over = false
  /** Made when first needed: most answers are one whole. */
  private room: Room | undefined

  constructor(req: Streamed, res: ServerResponse) {
    this.req = req
    this.res = res
  }

  whole(status: number, headers: Headers, text?: string): void {
    if (this.over || this.res.headersSent) return
    this.over = true
    // 204 has no length
    const length =
      status === 204 ? undefined : { "content-length": String(text === undefined ? 0 : Buffer.byteLength(text)) }
    if (this.req.complete || isKept(this.req, this.res)) {
      this.begin(status, { ...headers, ...length })
      this.res.end(text)
      return
    }
    if (this.req.httpVersionMajor >= 2) {
      // the end of an answer closes nothing there, and clients wait for it
      this.res.writeHead(status, { ...headers, ...length })
      this.res.end(text)
    } else {
      this.res.writeHead(status, { ...headers, ...length, connection: "close" })
      if (text === undefined) this.res.flushHeaders()
      else this.res.write(text)
    }
    linger(this.req, this.res)
  }

  head(status: number, headers: Headers): void {
    if (this.over || this.res.headersSent) return
    this.begin(status, headers)
    this.res.flushHeaders()
  }

  write(text: string, patience?: KeepAlive): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.over) return Effect.void
      // a broken connection takes everything, until "close" tells of it
      return this.res.socket?.destroyed !== true && this.res.write(text) ? Effect.void : this.drained(patience)
    })
  }

  offer(text: string): void {
    if (!this.over && !this.res.writableNeedDrain) this.res.write(text)
  }

  end(text?: string): void {
    if (this.over) return
    this.over = true
    this.res.end(text)
    // whoever did not read will not read the rest either
    this.room?.release()
  }

  isBegun(): boolean {
    return this.res.headersSent
  }

  isOver(): boolean {
    return this.over
  }

  /** The connection is gone; tells whether that was before the end. */
  leave(): boolean {
    const hasLeft = !this.over
    this.over = true
    return hasLeft
  }

  /** Lets go on whoever waits for the reader. */
  wake(): void {
    this.room?.wake()
  }

  private begin(status: number, headers: Headers): void {
    if (!this.req.complete) discard(this.req)
    this.res.writeHead(status, headers)
  }

  private drained(patience: KeepAlive | undefined): Effect.Effect<void> {
    if (this.room === undefined) {
      this.room = new Room(() => this.res.destroy())
      this.res.on("drain", this.room.wake)
    }
    const hasRoom = () => this.over || (!this.res.writableNeedDrain && this.res.socket?.destroyed !== true)
    return this.room.wait(hasRoom, patience)
  }
}

const start = (handler: HttpHandler, req: IncomingMessage, res: ServerResponse): void => {
  // its client has left before it was looked at
  if (res.destroyed) return
  const response = new NodeResponse(req, res)
  const fiber = run(handler, new NodeRequest(req), response, response)
  if (fiber.pollUnsafe() !== undefined) return
  // what fails on the way is told by "close"
  res.on("error", ignore)
  res.on("close", () => {
    if (response.leave()) fiber.interruptUnsafe()
    // whoever else still waits
    response.wake()
  })
}

/**
 * Serves a handler on `node:http`, and on what is built on it (Express, Fastify's `req.raw`), without a detour through
 * `Request` and `Response`.
 */
export const toNodeListener =
  (handler: HttpHandler) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    // a small body comes in the same packet: a moment later all of it is there, and no fiber has to wait for it
    if (req.readableEnded) start(handler, req, res)
    else setImmediate(start, handler, req, res)
  }
