import type { TransportError } from "@effective-mcp/protocol/TransportError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { type ClientResponse, collect, tooLarge } from "./ClientResponse.ts"
import { broken, unanswered, unsendable } from "./failure.ts"
import type { ClientRequest, HttpClient } from "./HttpClient.ts"
import { following } from "./redirects.ts"

export interface Options {
  /** What to send requests with. Default: the global `fetch`, as it is when a request is sent. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

class FetchResponse implements ClientResponse {
  private readonly response: Response
  private readonly controller: AbortController
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  private isOver = false

  constructor(response: Response, controller: AbortController) {
    this.response = response
    this.controller = controller
  }

  get status(): number {
    return this.response.status
  }

  readonly header = (name: string): string | undefined => this.response.headers.get(name) ?? undefined

  readonly read = Effect.suspend((): Effect.Effect<Uint8Array | undefined, TransportError> => {
    const { body } = this.response
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

  readonly discard = (): void => {
    if (this.isOver) return
    this.isOver = true
    // of what is already there, there is nothing to abort
    if (this.response.body !== null) this.controller.abort()
  }

  private failWith(resume: (effect: Effect.Effect<never, TransportError>) => void) {
    return (error: unknown): void => resume(Effect.fail(broken(error)))
  }
}

/** What some runtimes take beside the standard: no time limit of their own, which would cut silent streams. */
const EXTRA = "Bun" in globalThis ? { timeout: false } : undefined

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
  return wrong === undefined ? unanswered(error, request.url) : unsendable(wrong)
}

/** Sends requests with `fetch`: for Bun, Deno, browsers, Workers, and whatever else has one. */
export const make = ({ fetch }: Options = {}): Effect.Effect<HttpClient, never, Scope.Scope> => {
  const client: HttpClient = (request) =>
    Effect.withFiber((fiber) => {
      const scope = Context.getUnsafe(fiber.context, Scope.Scope)
      const controller = new AbortController()
      let response: FetchResponse | undefined
      const release = Effect.sync(() => (response === undefined ? controller.abort() : response.discard()))
      const sent = Effect.callback<ClientResponse, TransportError>((resume) => {
        const { body, headers, method, url } = request
        const init: RequestInit = {
          ...EXTRA,
          method,
          headers,
          redirect: "manual",
          signal: controller.signal,
          ...(body === undefined ? undefined : { body: typeof body === "string" ? body : new Uint8Array(body) })
        }
        const fail = (error: unknown): void => resume(Effect.fail(failureOf(error, request)))
        try {
          ;(fetch ?? globalThis.fetch)(url, init).then((answer) => {
            response = new FetchResponse(answer, controller)
            resume(Effect.succeed(response))
          }, fail)
        } catch (error) {
          fail(error)
        }
      })
      return Effect.andThen(Scope.addFinalizer(scope, release), sent)
    })
  return Effect.succeed(following(client))
}
