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

/** Bytes that may wait for a reader before the next part is held back, about as on `node:http`. */
const AHEAD = 64 * 1024

const sizeOf = (part: Uint8Array): number => part.byteLength

const encoder = new TextEncoder()
const nothing = new Uint8Array(0)

export interface FetchOptions {
  /**
   * Whether each request comes as the server of a runtime has made it, which ends a body where its `content-length`
   * says: a small one is then read at once, which is cheaper. Default false: what was made or changed on the way may be
   * longer than it says.
   */
  readonly direct?: boolean | undefined
  /**
   * Closes the connection of a request whose reader takes nothing. Default nothing: its stream fails, and whoever serves
   * it may only notice once it can go on.
   */
  readonly close?: ((request: Request) => void) | undefined
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

const fail = (reason: BodyError["reason"]) => Effect.fail(new BodyError({ reason }))

/** Reads what still comes, for nobody, up to a bound and for a while. */
const drain = async (reader: Reader): Promise<void> => {
  const cancel = (): void => void reader.cancel().catch(() => {})
  const timer = setTimeout(cancel, limits.unwantedMs)
  try {
    for (let size = 0; size <= limits.unwantedBytes;) {
      const { done, value } = await reader.read()
      if (done) return
      size += value.length
    }
  } catch {
    // its client is gone
  } finally {
    clearTimeout(timer)
    cancel()
  }
}

/** Bytes of a body that may be read at once; Deno holds many times what has come of a longer one. */
const SMALL = limits.smallBodyBytes

/** A body that is read as a whole. */
const whole = (request: Request, limit: number, onRead: () => void): Effect.Effect<Uint8Array, BodyError> =>
  Effect.callback((resume) => {
    const end = (body: Effect.Effect<Uint8Array, BodyError>): void => {
      // after the handler has gone on with it
      queueMicrotask(onRead)
      resume(body)
    }
    const take = (bytes: ArrayBuffer): void =>
      end(bytes.byteLength > limit ? fail("TooLarge") : Effect.succeed(new Uint8Array(bytes)))
    request.arrayBuffer().then(take, () => end(fail("Broken")))
  })

/** A body that is counted while it comes; what is left of one that is wanted no more goes to `onLeave`. */
const counted = (
  body: ReadableStream<Uint8Array>,
  limit: number,
  intake: Intake | undefined,
  onRead: () => void,
  onLeave: (reader: Reader) => void
): Effect.Effect<Uint8Array, BodyError> =>
  Effect.callback((resume) => {
    const reader = body.getReader()
    let parts: Array<Uint8Array> = []
    let size = 0
    let isOver = false
    const end = (body: Effect.Effect<Uint8Array, BodyError>): void => {
      isOver = true
      parts = []
      intake?.give(stop)
      queueMicrotask(onRead)
      resume(body)
    }
    const stop = (reason: BodyError["reason"]): void => {
      if (isOver) return
      onLeave(reader)
      end(fail(reason))
    }
    const read = async (): Promise<void> => {
      while (!isOver) {
        const { done, value } = await reader.read()
        if (isOver) return
        if (done) return end(Effect.succeed(concat(parts, size)))
        size += value.length
        if (size > limit) stop("TooLarge")
        else if (intake?.take(stop, size) === false) stop("Busy")
        else parts.push(value)
      }
    }
    read().catch(() => stop("Broken"))
    // whoever reads it waits no more
    return Effect.sync(() => stop("Broken"))
  })

/** Some runtimes tell the host by the URL alone; one that a request without a host has may be no whole URL. */
const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

class FetchRequest implements HttpRequest {
  private readonly request: Request
  private readonly isDirect: boolean
  private readonly onRead: () => void
  /** What is left of a body that was not read to its end. */
  private rest: Reader | undefined

  constructor(request: Request, isDirect: boolean, onRead: () => void) {
    this.request = request
    this.isDirect = isDirect
    this.onRead = onRead
  }

  get method(): string {
    return this.request.method
  }

  get url(): string {
    return this.request.url
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? (name === "host" ? hostOf(this.request.url) : undefined)
  }

  body(limit: number, intake?: Intake): Effect.Effect<Uint8Array, BodyError> {
    const { request } = this
    const length = this.isDirect ? request.headers.get("content-length") : null
    // before its `body` is looked at, which makes a stream of what is there already
    if (length !== null && Number(length) <= SMALL) return whole(request, limit, this.onRead)
    return Effect.suspend(() => {
      if (request.bodyUsed || request.body?.locked === true) return fail("Broken")
      if (request.body !== null) {
        return counted(request.body, limit, intake, this.onRead, (reader) => this.leave(reader))
      }
      queueMicrotask(this.onRead)
      return Effect.succeed(nothing)
    })
  }

  /**
   * Takes what still comes of the body before a refusal goes out, if its client wants the connection closed: Bun closes it
   * with the answer, and a connection that closes while something comes loses the answer, too.
   */
  async drain(): Promise<void> {
    if (!this.isLast()) return
    const { body, bodyUsed } = this.request
    const reader = this.rest ?? (bodyUsed ? undefined : body?.getReader())
    if (reader !== undefined) await drain(reader)
  }

  private isLast(): boolean {
    return this.request.headers.get("connection")?.toLowerCase() === "close"
  }

  private leave(reader: Reader): void {
    if (this.isLast()) this.rest = reader
    else reader.cancel().catch(() => {})
  }
}

class FetchResponse implements HttpResponse, Progress {
  private readonly resolve: (response: Response) => void
  /** Until it is answered: what is left of it is looked at before it is refused. */
  request: FetchRequest | undefined
  private begun = false
  private over = false
  /** Both are made when first needed: most answers are one whole. */
  private stream: ReadableStreamDefaultController<Uint8Array> | undefined
  private room: Room | undefined
  /** Whether it ends once its reader has taken most of what there is. */
  private isEnding = false
  /** What to do when the reader of a stream has left. */
  onLeave: (() => void) | undefined
  /** The request whose connection `close` closes; a function for each response would outlive it by far. */
  private readonly asked: Request | undefined
  private readonly close: FetchOptions["close"]

  constructor(resolve: (response: Response) => void, request: Request, close: FetchOptions["close"]) {
    this.resolve = resolve
    this.close = close
    this.asked = close === undefined ? undefined : request
  }

  whole(status: number, headers: Headers, text?: string): void {
    if (this.over || this.begun) return
    this.begun = true
    this.over = true
    const response = new Response(text ?? null, { status, headers })
    const { request, resolve } = this
    this.request = undefined
    if (status < 400 || request === undefined) return resolve(response)
    const go = (): void => resolve(response)
    request.drain().then(go, go)
  }

  head(status: number, headers: Headers): void {
    if (this.over || this.begun) return
    this.begun = true
    this.request = undefined
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.stream = controller
        },
        pull: () => this.onPull(),
        cancel: () => this.onLeave?.()
      },
      { highWaterMark: AHEAD, size: sizeOf }
    )
    this.resolve(new Response(body, { status, headers }))
  }

  write(text: string, patience?: KeepAlive): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.over || this.stream === undefined) return Effect.void
      this.stream.enqueue(encoder.encode(text))
      if (this.hasRoom()) return Effect.void
      this.room ??= new Room(() => this.stall())
      return this.room.wait(this.hasRoom, patience)
    })
  }

  offer(text: string): void {
    if (!this.over && this.stream !== undefined && this.hasRoom()) this.stream.enqueue(encoder.encode(text))
  }

  end(text?: string): void {
    if (this.over || this.stream === undefined) return
    this.over = true
    if (text !== undefined) this.stream.enqueue(encoder.encode(text))
    // nobody tells any more when a stream that is closed is read
    if (this.room !== undefined && (this.stream.desiredSize ?? 0) <= 0) this.isEnding = true
    else this.stream.close()
    this.room?.release()
  }

  isBegun(): boolean {
    return this.begun
  }

  isOver(): boolean {
    return this.over
  }

  /** The client is gone; tells whether that was before the end. */
  leave(): boolean {
    const hasLeft = !this.over
    this.over = true
    // nobody reads it, but a server may wait for it
    if (hasLeft && !this.begun) this.resolve(new Response(null, { status: 499 }))
    return hasLeft
  }

  /** Lets go on whoever waits for the reader. */
  wake(): void {
    this.room?.wake()
  }

  private onPull(): void {
    if (this.isEnding) this.stream?.close()
    this.wake()
  }

  private stall(): void {
    // some runtimes print it, and all that an error has
    this.stream?.error("a reader takes nothing: its stream is broken off")
    if (this.asked !== undefined) this.close?.(this.asked)
    this.onLeave?.()
  }

  private readonly hasRoom = (): boolean => this.over || this.stream === undefined || (this.stream.desiredSize ?? 0) > 0
}

/** Serves a handler as a function of web standards: for `Bun.serve`, `Deno.serve`, Workers, Hono and the like. */
export const toFetch =
  (handler: HttpHandler, { close, direct = false }: FetchOptions = {}) =>
  (request: Request): Promise<Response> =>
    new Promise((resolve) => {
      const response = new FetchResponse(resolve, request, close)
      /** Told by the stream, by the signal or by both; Deno's signal also says so after a good end. */
      const leave = (): void => {
        if (!response.leave()) return
        fiber.interruptUnsafe()
        // whoever else still waits
        response.wake()
      }
      /**
       * A stream tells by itself that its reader has left. The signal is asked only while nothing has been answered: to
       * ask costs, and Deno writes a notice when it is.
       */
      const watch = (): void => {
        if (response.isBegun()) return
        const { signal } = request
        if (signal.aborted) leave()
        else signal.addEventListener("abort", leave, { once: true })
      }
      response.onLeave = leave
      const asked = new FetchRequest(request, direct, watch)
      response.request = asked
      const fiber = run(handler, asked, response, response)
    })
