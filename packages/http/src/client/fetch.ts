import type { TransportError } from "@effective-mcp/protocol/TransportError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type ClientResponse, collect, tooLarge } from "./ClientResponse.ts"
import { broken, unanswered, unsendable } from "./failure.ts"
import type { Headers } from "../HttpResponse.ts"
import type { ClientRequest, HttpClient } from "./HttpClient.ts"
import { following } from "./redirects.ts"
import { withheld } from "./withheld.ts"

export interface Options {
  /** What to send requests with. Default: the global `fetch`, as it is when a request is sent. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

const isBun = "Bun" in globalThis
const isDeno = "Deno" in globalThis

/** Bytes that are still taken of a body that nobody wants, for how long, in ms, and of how many bodies at once. */
const UNWANTED = 64 * 1024
const SOON = 300
const MOST = 6

let unwanted = 0

/** Reads what is left of a body, unless it is long, or does not come soon. */
const rest = async (reader: ReadableStreamDefaultReader<Uint8Array>, abort: () => void): Promise<void> => {
  if (unwanted >= MOST) return abort()
  unwanted++
  const timer = setTimeout(abort, SOON)
  try {
    let size = 0
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length
      if (size > UNWANTED) abort()
    }
  } catch {
    // it was cut, by us or by the other side
  } finally {
    clearTimeout(timer)
    unwanted--
  }
}

/** Bytes that are expanded at once: what comes of them is held before any of it is read. */
const SLICE = 1024

const feed = async (
  from: ReadableStreamDefaultReader<Uint8Array>,
  into: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>
): Promise<void> => {
  try {
    for (let part = await from.read(); !part.done; part = await from.read()) {
      for (let at = 0; at < part.value.length; at += SLICE) {
        await into.ready
        await into.write(new Uint8Array(part.value.slice(at, at + SLICE)))
      }
    }
    await into.close()
  } catch (error) {
    into.abort(error).catch(() => {})
  }
}

/** The body as it was before it was packed; Bun would expand all of it, however little is read. */
const bodyOf = ({ body, headers }: Response): ReadableStream<Uint8Array> | null => {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase()
  if (!isBun || body === null || (encoding !== "gzip" && encoding !== "deflate")) return body
  const through = new DecompressionStream(encoding)
  void feed(body.getReader(), through.writable.getWriter())
  return through.readable
}

class FetchResponse implements ClientResponse {
  private readonly response: Response
  private readonly body: ReadableStream<Uint8Array> | null
  private readonly controller: AbortController
  private readonly request: ClientRequest
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  private isOver = false

  constructor(response: Response, controller: AbortController, request: ClientRequest) {
    this.response = response
    this.body = bodyOf(response)
    this.controller = controller
    this.request = request
  }

  get status(): number {
    return this.response.status
  }

  readonly header = (name: string): string | undefined => this.response.headers.get(name) ?? undefined

  readonly read = Effect.suspend((): Effect.Effect<Uint8Array | undefined, TransportError> => {
    const { body } = this
    if (body === null || this.isOver) return Effect.undefined
    const reader = (this.reader ??= body.getReader())
    return Effect.callback((resume) => {
      reader.read().then(({ done, value }) => {
        if (done) this.isOver = true
        resume(Effect.succeed(done ? undefined : value))
      }, this.failWith(resume))
    })
  })

  readonly whole = (limit: number): Effect.Effect<Uint8Array, TransportError> => {
    const { headers } = this.response
    const length = headers.get("content-length")
    if (length !== null && Number(length) > limit) return Effect.fail(tooLarge(limit))
    // the length is that of what is sent: it says nothing of what it expands to
    if (length === null || headers.has("content-encoding") || this.reader !== undefined) {
      return collect(this.read, limit, this.discard)
    }
    return Effect.callback((resume) => {
      this.response.arrayBuffer().then((bytes) => {
        this.isOver = true
        resume(bytes.byteLength > limit ? Effect.fail(tooLarge(limit)) : Effect.succeed(new Uint8Array(bytes)))
      }, this.failWith(resume))
    })
  }

  /** A short rest is taken, for the sake of the connection; else the connection goes. */
  readonly discard = (): void => {
    const { body } = this
    const { headers } = this.response
    if (this.isOver) return
    this.isOver = true
    if (body === null) return
    const isBusy = body.locked && this.reader === undefined
    const isLong = Number(headers.get("content-length")) > UNWANTED || headers.has("content-encoding")
    if (isBusy || isLong) return this.controller.abort()
    void rest((this.reader ??= body.getReader()), () => this.controller.abort())
  }

  private failWith(resume: (effect: Effect.Effect<never, TransportError>) => void) {
    return (error: unknown): void => {
      this.isOver = true
      resume(Effect.fail(broken(withheld(error, this.request))))
    }
  }
}

/** What Bun takes beside the standard: no time limit of its own, which would cut silent streams, and bodies as they come. */
const EXTRA = isBun ? { timeout: false, decompress: false } : undefined
const PACKED: Headers | undefined = isBun ? { "accept-encoding": "gzip, deflate" } : undefined

/**
 * Deno sends bytes that it holds again, by itself, where a connection breaks that has been used before; whatever is read
 * as it is sent goes once, and the length of a blob is still known.
 */
const bodyFor = (body: string | Uint8Array): Blob | string | Uint8Array<ArrayBuffer> => {
  const held = typeof body === "string" ? body : new Uint8Array(body)
  return isDeno ? new Blob([held]) : held
}

/** Whether the request is one at all: runtimes fail in the same way for that and for a broken connection. */
const isSendable = ({ headers, method, url }: ClientRequest): unknown => {
  try {
    new Request(url, { method, headers })
    return undefined
  } catch (cause) {
    return cause
  }
}

const failureOf = (error: unknown, request: ClientRequest): TransportError => {
  const wrong = isSendable(request)
  return wrong === undefined ? unanswered(withheld(error, request), request.url) : unsendable(withheld(wrong, request))
}

/** Sends requests with `fetch`: for Bun, Deno, browsers, Workers, and whatever else has one. */
export const make = ({ fetch }: Options = {}): Effect.Effect<HttpClient, never, Scope.Scope> => {
  const client: HttpClient = (request) =>
    Effect.withFiber((fiber) => {
      const scope = Context.getUnsafe(fiber.context, Scope.Scope)
      const controller = new AbortController()
      let response: FetchResponse | undefined
      const release = (exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> => {
        if (response === undefined || Exit.isFailure(exit)) controller.abort()
        else response.discard()
        return Effect.void
      }
      const sent = Effect.callback<ClientResponse, TransportError>((resume) => {
        const { body, headers, method, url } = request
        const init: RequestInit = {
          ...EXTRA,
          method,
          headers: PACKED === undefined ? headers : { ...PACKED, ...headers },
          redirect: "manual",
          signal: controller.signal,
          ...(body === undefined && !(isDeno && method === "POST") ? undefined : { body: bodyFor(body ?? "") })
        }
        const fail = (error: unknown): void => resume(Effect.fail(failureOf(error, request)))
        try {
          ;(fetch ?? globalThis.fetch)(url, init).then((answer) => {
            response = new FetchResponse(answer, controller, request)
            resume(Effect.succeed(response))
          }, fail)
        } catch (error) {
          fail(error)
        }
      })
      return Effect.andThen(Scope.addFinalizerExit(scope, release), sent)
    })
  return Effect.succeed(following(client))
}
