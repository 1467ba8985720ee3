import * as Effect from "effect/Effect"
import { concat } from "../concat.ts"
import type { HttpHandler } from "../HttpHandler.ts"
import { BodyError, type HttpRequest } from "../HttpRequest.ts"
import type { Headers, HttpResponse } from "../HttpResponse.ts"
import { Room } from "../Room.ts"
import { type Progress, run } from "../run.ts"

/** Bytes that may wait for a reader before the next part is held back, about as on `node:http`. */
const AHEAD = 64 * 1024

const sizeOf = (part: Uint8Array): number => part.byteLength

const encoder = new TextEncoder()
const nothing = new Uint8Array(0)

/** Bytes of a body that is read at once; Deno holds many times what has come of a longer one. */
const SMALL = 64 * 1024

/** Counts a body while it comes. */
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
  Effect.callback((resume) => {
    const take = (bytes: Uint8Array): void => {
      // after the handler has gone on with it
      queueMicrotask(onRead)
      resume(bytes.length > limit ? Effect.fail(new BodyError({ reason: "TooLarge" })) : Effect.succeed(bytes))
    }
    const fail = (cause: unknown): void => {
      queueMicrotask(onRead)
      resume(Effect.fail(cause instanceof BodyError ? cause : new BodyError({ reason: "Broken" })))
    }
    const length = request.headers.get("content-length")
    // before its `body` is looked at, which makes a stream of what is there already
    if (length !== null && Number(length) <= SMALL) {
      return void request.arrayBuffer().then((bytes) => take(new Uint8Array(bytes)), fail)
    }
    const { body } = request
    if (body === null) take(nothing)
    else count(body, limit).then(take, fail)
  })

/** Some runtimes tell the host by the URL alone; one that a request without a host has may be no whole URL. */
const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

class FetchRequest implements HttpRequest {
  private readonly request: Request
  private readonly onRead: () => void

  constructor(request: Request, onRead: () => void) {
    this.request = request
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

  body(limit: number): Effect.Effect<Uint8Array, BodyError> {
    return read(this.request, limit, this.onRead)
  }
}

class FetchResponse implements HttpResponse, Progress {
  private readonly resolve: (response: Response) => void
  private begun = false
  private over = false
  /** Both are made when first needed: most answers are one whole. */
  private stream: ReadableStreamDefaultController<Uint8Array> | undefined
  private room: Room | undefined
  /** What to do when the reader of a stream has left. */
  onLeave: (() => void) | undefined

  constructor(resolve: (response: Response) => void) {
    this.resolve = resolve
  }

  whole(status: number, headers: Headers, text?: string): void {
    if (this.over || this.begun) return
    this.begun = true
    this.over = true
    this.resolve(new Response(text ?? null, { status, headers }))
  }

  head(status: number, headers: Headers): void {
    if (this.over || this.begun) return
    this.begun = true
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.stream = controller
        },
        pull: () => this.wake(),
        cancel: () => this.onLeave?.()
      },
      { highWaterMark: AHEAD, size: sizeOf }
    )
    this.resolve(new Response(body, { status, headers }))
  }

  write(text: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.over || this.stream === undefined) return Effect.void
      this.stream.enqueue(encoder.encode(text))
      if (this.hasRoom()) return Effect.void
      this.room ??= new Room()
      return this.room.wait(this.hasRoom)
    })
  }

  offer(text: string): void {
    if (!this.over && this.stream !== undefined && this.hasRoom()) this.stream.enqueue(encoder.encode(text))
  }

  end(text?: string): void {
    if (this.over || this.stream === undefined) return
    this.over = true
    if (text !== undefined) this.stream.enqueue(encoder.encode(text))
    this.stream.close()
    this.wake()
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

  private readonly hasRoom = (): boolean => this.over || this.stream === undefined || (this.stream.desiredSize ?? 0) > 0
}

/** Serves a handler as a function of web standards: for `Bun.serve`, `Deno.serve`, Workers, Hono and the like. */
export const toFetch =
  (handler: HttpHandler) =>
  (request: Request): Promise<Response> =>
    new Promise((resolve) => {
      const response = new FetchResponse(resolve)
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
      const fiber = run(handler, new FetchRequest(request, watch), response, response)
    })
