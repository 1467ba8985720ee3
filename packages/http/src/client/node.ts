import {
  Agent,
  type ClientRequest as Outgoing,
  type IncomingMessage,
  request as open,
  type RequestOptions
} from "node:http"
import type { Readable } from "node:stream"
import type { TransportError } from "@effective-mcp/protocol/TransportError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { concat } from "../concat.ts"
import { type ClientResponse, collect, tooLarge } from "./ClientResponse.ts"
import { broken, unanswered, unconnected, undecodable, unsendable } from "./failure.ts"
import type { ClientRequest, HttpClient } from "./HttpClient.ts"
import { following } from "./redirects.ts"

export interface Options {
  /** Connections that are kept open when nobody uses them. Default 256. */
  readonly idleSockets?: number | undefined
}

/** Bytes that are read ahead of whoever reads them. */
const AHEAD = 64 * 1024

/** Bytes that are still taken of a body that nobody wants, so that its connection can be used again. */
const UNWANTED = 64 * 1024

/** How long that is waited for, twice at the most, in ms, and for how many bodies at once. */
const SOON = 200
const MOST = 6

const ignore = (): void => {}

/** Loaded when first needed: most of what they cost is theirs. */
const https = () => process.getBuiltinModule("node:https")
const zlib = () => process.getBuiltinModule("node:zlib")

/** What expands a body, where it is encoded; undefined for an encoding that was not asked for. */
const expanderOf = (encoding: string) => {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return zlib().createGunzip()
    case "deflate":
      return zlib().createInflate()
    case "br":
      return zlib().createBrotliDecompress()
    default:
      return undefined
  }
}

/** What is still taken of bodies that nobody wants: those that do not end by themselves soon are cut. */
class Unwanted {
  private fresh = new Set<Outgoing>()
  private old = new Set<Outgoing>()
  private timer: NodeJS.Timeout | undefined

  add(req: Outgoing): void {
    if (this.fresh.size + this.old.size >= MOST) return void req.destroy()
    this.fresh.add(req)
    req.once("close", () => {
      this.fresh.delete(req)
      this.old.delete(req)
    })
    this.timer ??= setTimeout(this.sweep, SOON).unref()
  }

  private readonly sweep = (): void => {
    for (const req of this.old) req.destroy()
    this.old = this.fresh
    this.fresh = new Set()
    this.timer = this.old.size === 0 ? undefined : setTimeout(this.sweep, SOON).unref()
  }
}

class NodeResponse implements ClientResponse {
  private readonly res: IncomingMessage
  private readonly req: Outgoing
  private readonly unwanted: Unwanted
  /** What the bytes come from; set once somebody reads. */
  private source: Readable | undefined
  private isOver = false
  /** Bytes that came since nobody wanted them. */
  private surplus: number | undefined
  private failure: TransportError | undefined
  private parts: Array<Uint8Array> = []
  private ahead = 0
  private wake: ((part: Effect.Effect<Uint8Array | undefined, TransportError>) => void) | undefined

  constructor(res: IncomingMessage, req: Outgoing, unwanted: Unwanted) {
    this.res = res
    this.req = req
    this.unwanted = unwanted
    res.on("error", ignore)
  }

  get status(): number {
    return this.res.statusCode ?? 0
  }

  readonly header = (name: string): string | undefined => {
    const value = this.res.headers[name]
    return typeof value === "object" ? value.join(", ") : value
  }

  /** What can be had at once, if anything. */
  private next(): Effect.Effect<Uint8Array | undefined, TransportError> | undefined {
    const part = this.parts.shift()
    if (part !== undefined) {
      this.ahead -= part.length
      if (this.ahead === 0) this.source?.resume()
      return Effect.succeed(part)
    }
    if (this.failure !== undefined) return Effect.fail(this.failure)
    return this.isOver ? Effect.undefined : undefined
  }

  readonly read = Effect.suspend((): Effect.Effect<Uint8Array | undefined, TransportError> => {
    if (this.source === undefined) this.flow()
    const next = this.next()
    if (next !== undefined) return next
    return Effect.callback((resume) => {
      // its fiber may have given up its turn since it looked
      const late = this.next()
      if (late !== undefined) return resume(late)
      this.wake = resume
      return Effect.sync(() => {
        this.wake = undefined
      })
    })
  })

  readonly whole = (limit: number): Effect.Effect<Uint8Array, TransportError> => {
    if (this.source !== undefined || this.encoding() !== "") return collect(this.read, limit, this.discard)
    if (Number(this.res.headers["content-length"]) > limit) return Effect.fail(tooLarge(limit))
    return Effect.callback((resume) => {
      const { res } = this
      this.source = res
      const parts: Array<Uint8Array> = []
      let size = 0
      const onData = (part: Uint8Array): void => {
        size += part.length
        if (size <= limit) return void parts.push(part)
        res.off("data", onData)
        this.discard()
        resume(Effect.fail(tooLarge(limit)))
      }
      res.on("data", onData)
      res.on("end", () => {
        this.isOver = true
        resume(Effect.succeed(concat(parts, size)))
      })
      res.on("error", (error) => resume(Effect.fail(broken(error))))
      res.on("close", () => resume(Effect.suspend(() => Effect.fail(broken(undefined)))))
    })
  }

  /** A short rest is taken, for the sake of the connection; else the connection goes. */
  readonly discard = (): void => {
    const { res } = this
    if (this.surplus !== undefined || (res.complete && res.readableEnded)) return
    this.surplus = 0
    this.parts = []
    if (Number(res.headers["content-length"]) > UNWANTED || this.failure !== undefined) return void this.req.destroy()
    this.unwanted.add(this.req)
    if (this.source !== undefined && this.source !== res) {
      res.unpipe()
      this.source.destroy()
    }
    res.on("data", (part: Uint8Array) => {
      this.surplus = (this.surplus ?? 0) + part.length
      if (this.surplus > UNWANTED) this.req.destroy()
    })
    res.resume()
  }

  private encoding(): string {
    const encoding = (this.res.headers["content-encoding"] ?? "").trim().toLowerCase()
    return encoding === "identity" ? "" : encoding
  }

  private flow(): void {
    const encoding = this.encoding()
    const expander = encoding === "" ? undefined : expanderOf(encoding)
    const source = expander ?? this.res
    this.source = source
    if (expander === undefined && encoding !== "") return this.end(undecodable())
    source.on("data", (part: Uint8Array) => {
      if (this.surplus !== undefined) return
      if (this.wake !== undefined) return this.give(Effect.succeed(part))
      this.parts.push(part)
      this.ahead += part.length
      if (this.ahead > AHEAD) source.pause()
    })
    source.on("end", () => this.end(undefined))
    this.res.on("error", (error) => this.end(broken(error)))
    this.res.on("close", () => {
      if (!this.res.complete) this.end(broken(undefined))
    })
    if (expander === undefined) return
    expander.on("error", () => {
      this.end(undecodable())
      this.req.destroy()
    })
    this.res.pipe(expander)
  }

  private end(failure: TransportError | undefined): void {
    if (this.isOver) return
    this.isOver = true
    this.failure = failure
    if (this.wake !== undefined) this.give(failure === undefined ? Effect.undefined : Effect.fail(failure))
  }

  private give(part: Effect.Effect<Uint8Array | undefined, TransportError>): void {
    const resume = this.wake
    this.wake = undefined
    resume?.(part)
  }
}

interface Target {
  readonly url: string
  readonly isSecure: boolean
  readonly options: RequestOptions
}

const targetOf = (url: string): Target => {
  const { hostname, pathname, port, protocol, search } = new URL(url)
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname
  return {
    url,
    isSecure: protocol === "https:",
    options: { host, port: port === "" ? null : port, path: pathname + search }
  }
}

/**
 * Sends requests with `node:http` and `node:https`: about a quarter of what `fetch` costs on Node. Connections are kept
 * open between requests, and closed with the scope.
 */
export const make = ({ idleSockets = 256 }: Options = {}): Effect.Effect<HttpClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const kept = { keepAlive: true, maxFreeSockets: idleSockets }
    let plain: Agent | undefined
    let secure: InstanceType<ReturnType<typeof https>["Agent"]> | undefined
    let last: Target | undefined
    const unwanted = new Unwanted()
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        plain?.destroy()
        secure?.destroy()
      })
    )
    const begin = ({ body, headers, method, url }: ClientRequest): Outgoing => {
      if (last?.url !== url) last = targetOf(url)
      const { isSecure, options } = last
      const given = { ...options, method, headers: { "accept-encoding": "gzip, deflate, br", ...headers } }
      const req = isSecure
        ? https().request({ ...given, agent: (secure ??= new (https().Agent)(kept)) })
        : open({ ...given, agent: (plain ??= new Agent(kept)) })
      req.end(body)
      return req
    }
    const client: HttpClient = (request) =>
      Effect.withFiber((fiber) => {
        const scope = Context.getUnsafe(fiber.context, Scope.Scope)
        let req: Outgoing | undefined
        let response: NodeResponse | undefined
        const release = (exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> => {
          if (response === undefined || Exit.isFailure(exit)) req?.destroy()
          else response.discard()
          return Effect.void
        }
        const sent = Effect.callback<ClientResponse, TransportError>((resume) => {
          try {
            req = begin(request)
          } catch (cause) {
            return resume(Effect.fail(unsendable(cause)))
          }
          const sending = req
          // nothing is written before there is a connection, and only that decides: codes come at any time
          let isConnected: boolean | undefined
          sending.on("socket", (socket) => {
            const isSecure = sending.protocol === "https:"
            isConnected = sending.reusedSocket || !(isSecure || socket.connecting)
            if (!isConnected) socket.once(isSecure ? "secureConnect" : "connect", () => (isConnected = true))
          })
          const why = (error: unknown): TransportError => {
            if (isConnected === undefined) return unanswered(error, request.url)
            return isConnected ? broken(error) : unconnected(error, request.url)
          }
          const fail = (error: unknown): void => resume(Effect.fail(why(error)))
          sending.on("response", (res) => {
            response = new NodeResponse(res, sending, unwanted)
            resume(Effect.succeed(response))
          })
          sending.on("error", fail)
          // an answer that switches protocols ends without an error
          sending.on("close", () => {
            if (response === undefined) fail(undefined)
          })
          return Effect.sync(() => sending.destroy())
        })
        return Effect.andThen(Scope.addFinalizerExit(scope, release), sent)
      })
    return following(client)
  })
