import { addressOf, type Headers } from "@effective-mcp/http/client"
import { make as platform } from "@effective-mcp/http/client/platform"
import { type Connection, HttpEra, JsonRpc, limits, TransportError } from "@effective-mcp/protocol"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { type Broken, EVENTS, isGood, read, typeOf } from "./answer.ts"
import { Exchanges } from "./Exchanges.ts"
import { type Hearing, malformed } from "./hear.ts"
import { type Options as HttpOptions, settingsOf } from "./Options.ts"
import { statusError } from "./status.ts"
import { warner } from "./warner.ts"
import * as Wire from "./Wire.ts"

export {
  type ClientRequest,
  ClientResponse,
  type Headers,
  type HttpClient,
  type Interceptor
} from "@effective-mcp/http/client"

export interface Options extends Omit<HttpOptions, "reconnect"> {
  /** How long one request may take, with its interceptors; `Infinity` is no bound. Default 30 s. */
  readonly timeout?: Duration.Input | undefined
}

/** An HTTP entry of the file in which hosts keep their servers. */
export interface Config {
  readonly url: string
  readonly headers?: Headers | undefined
  /** In ms. */
  readonly timeout?: number | undefined
}

/** Asks for nothing else. */
const ACCEPT: Headers = { accept: "application/json" }

/** In ms. A time that cannot be read, or is none, is an author's mistake: it throws. */
const millisOf = (timeout: Duration.Input): number => {
  const duration = timeout === null ? Option.none() : Duration.fromInput(timeout)
  const ms = Option.match(duration, { onNone: () => 0, onSome: Duration.toMillis })
  if (!(ms > 0)) throw new Error(`timeout is not a length of time: ${String(timeout)}`)
  return ms
}

/** Gives up after `ms`; what had not been let through by interceptors until then has not been sent. */
const within = <A>(
  sending: Effect.Effect<A, TransportError>,
  ms: number,
  method: string | undefined,
  isSent: () => boolean
): Effect.Effect<A, TransportError> =>
  ms === Infinity
    ? sending
    : Effect.timeoutOrElse(sending, {
        duration: ms,
        orElse: () =>
          Effect.fail(
            TransportError.make(
              { _tag: "TimedOut", afterMs: ms, ...(method === undefined ? undefined : { method }) },
              isSent() ? "Unknown" : "NotSent"
            )
          )
      })

/** A stream is refused before it is read, so that none is ever broken. */
const never: Broken = (_reader, error) => Effect.fail(error)

/** Reads the one JSON answer to a request. */
const answer = (
  http: Wire.HttpAnswer,
  hearing: Hearing,
  messageBytes: number
): Effect.Effect<JsonRpc.Response, TransportError> =>
  isGood(http) && typeOf(http) === EVENTS
    ? Effect.fail(malformed("an event stream, as a server of Streamable HTTP has them", hearing.request.id))
    : read(http, hearing, messageBytes, never)

/**
 * Reaches a server over plain HTTP: each message is a POST to one address, whose answer is one JSON body. There are
 * no sessions, no headers of the protocol's own and no streams, so that the server says nothing unasked, and reports
 * nothing while a request runs: `incoming` never gives anything. Interrupting a request aborts it.
 *
 * Nothing is sent before there is something to say; closing the scope aborts what is open.
 *
 * @param url the server's endpoint, `http:` or `https:`, without a user or password in it
 */
export const connect = (
  url: string | URL,
  options: Options = {}
): Effect.Effect<Connection, TransportError, Scope.Scope> => {
  const { depth, messageBytes, timeout = limits.requestMs } = options
  const settings = settingsOf({ depth, messageBytes })
  const timeoutMs = millisOf(timeout)
  return Effect.gen(function* () {
    const address = yield* addressOf(url)
    const client = options.client ?? (yield* platform())
    const wire = Wire.make(address, client, options, settings.messageBytes)
    const exchanges = new Exchanges()
    const warn = warner()
    /** What the last handshake has agreed on: it says whether answers may come in a batch. */
    let agreed: string | undefined
    yield* Effect.addFinalizer(() => Effect.sync(() => exchanges.close(TransportError.make({ _tag: "Closed" }))))

    const post = <A>(
      message: JsonRpc.Message,
      hear: (http: Wire.HttpAnswer) => Effect.Effect<A, TransportError>
    ): Effect.Effect<A, TransportError> =>
      Effect.suspend(() => {
        let isSent = false
        const onSend = (): void => {
          isSent = true
        }
        const posted = Effect.scoped(Effect.flatMap(wire.post(message, ACCEPT, false, onSend), hear))
        return within(posted, timeoutMs, "method" in message ? message.method : undefined, () => isSent)
      })

    return {
      wire: "http",
      caller: wire.caller,
      exchange: (request, listener) => {
        const isOpening = request.method === "initialize"
        const isLegacy = HttpEra.versionIn(request) === undefined && !isOpening
        const exchange = post(request, (http) => {
          const allowsBatches = isLegacy && HttpEra.allowsBatches(agreed)
          const hearing = { request, listener, depth: settings.depth, allowsBatches, warn }
          return answer(http, hearing, settings.messageBytes)
        })
        if (!isOpening) return exchanges.run(request.id, exchange)
        const opened = Effect.map(exchange, (response) => {
          const version = JsonRpc.isSuccess(response) ? response.result.protocolVersion : undefined
          agreed = typeof version === "string" ? version : undefined
          return response
        })
        return exchanges.run(request.id, opened)
      },
      abandon: (id, error) => exchanges.abandon(id, error),
      send: (message) =>
        Effect.suspend(() => {
          const refusal = exchanges.refusal()
          if (refusal !== undefined) return Effect.fail(refusal)
          return post(message, (http): Effect.Effect<void, TransportError> =>
            isGood(http) ? Effect.void : statusError(http)
          )
        }),
      incoming: Effect.succeed(Effect.never)
    }
  })
}

/** The same with `Authorization: Bearer` and this key. */
export const withApiKey = (
  url: string | URL,
  apiKey: string,
  options: Omit<Options, "apiKey"> = {}
): ReturnType<typeof connect> => connect(url, { ...options, apiKey })

/** The same, as an entry of a host's file says; `options` adds what no file can hold. */
export const from = (
  { headers, timeout, url }: Config,
  options: Omit<Options, "apiKey" | "headers" | "timeout"> = {}
): ReturnType<typeof connect> => connect(url, { ...options, headers, timeout })
