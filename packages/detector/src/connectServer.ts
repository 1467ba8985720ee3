import { Client, type ConnectError } from "@effective-mcp/client"
import { type Host, Peer, quote } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Options, ServerOptions } from "./ConnectOptions.ts"
import type { ConnectTargetError } from "./ConnectTargetError.ts"
import type { Server, UrlPlace } from "./config/Server.ts"
import { detect } from "./detect.ts"
import { reasonOf, stepOf } from "./evidence.ts"
import { explain } from "./explain.ts"
import { info as ourselves } from "./info.ts"
import type { Ladder } from "./Ladder.ts"
import { owned } from "./owned.ts"
import { headersOf, ofProgram, overHttp } from "./transports.ts"
import type { Kind, Transport } from "./transportOf.ts"
import { withholding } from "./withholding.ts"

type Connecting<RM, E = ConnectTargetError> = Effect.Effect<Client.Client, E, RM | Scope.Scope>
type Given<RM> = ServerOptions<RM> & Pick<Options, "info">

/** What a client is told of how to connect. */
export const clientOptions = <RM>(
  { client, era, revision }: ServerOptions<RM>,
  timeout?: number
): Client.Options<RM> => ({
  ...(timeout === undefined ? {} : { timeout }),
  ...client,
  era,
  revision
})

const names: Readonly<Record<Kind, string>> = {
  "streamable-http": "Streamable HTTP",
  sse: "HTTP+SSE",
  plain: "plain HTTP"
}

/** Whether an answer leaves it open that something else than Streamable HTTP is spoken at an address. */
const leavesOpen = (error: ConnectError): boolean => {
  if (error._tag === "RpcError") {
    const { httpStatus = 200 } = error
    return httpStatus >= 400 && httpStatus < 500 && httpStatus !== 401 && httpStatus !== 403
  }
  if (error._tag !== "TransportError") return false
  const { reason } = error
  switch (reason._tag) {
    case "HttpStatus":
      return reason.status >= 400 && reason.status < 500 && ![401, 403, 408, 429].includes(reason.status)
    case "Malformed":
    case "TooLarge":
    case "SessionExpired":
      return true
    default:
      return false
  }
}

const failing =
  (ladder: Ladder, wire?: Kind) =>
  (error: ConnectError): ConnectTargetError =>
    ladder.fail(explain(error, wire && names[wire]))

/** Where a program's standard error goes; what is this process's own cannot be heard. */
const heardBy = ({ overhear }: Ladder, { stderr = "tail" }: ServerOptions<unknown>): ServerOptions["stderr"] => {
  if (stderr === "inherit") return stderr
  if (typeof stderr === "object") {
    return {
      onLine: (line) => {
        overhear(`${line}\n`)
        return stderr.onLine(line)
      }
    }
  }
  return (chunk) => {
    overhear(chunk)
    return stderr === "tail" ? undefined : stderr(chunk)
  }
}

/**
 * Connects to one place. At an address Streamable HTTP is tried at once, so that what is spoken nearly everywhere costs no
 * question more; only where its answer leaves that open is it found out what is there.
 */
export const connectServer = <RM>({ place, timeout }: Server, options: Given<RM>, ladder: Ladder): Connecting<RM> => {
  const { info = ourselves } = options
  const shared = clientOptions(options, timeout)
  const once = (tried: string, transport: Transport): Connecting<RM, ConnectError> =>
    ladder.climb(tried, Client.connect(transport, info, shared))
  if (place._tag === "Program") {
    const tried = `start ${quote(place.command)}`
    const starting = Effect.flatMap(ofProgram(place, { ...options, stderr: heardBy(ladder, options) }), (transport) =>
      once(tried, transport)
    )
    return Effect.mapError(owned(starting), failing(ladder))
  }
  const sending = withholding({ ...options, headers: headersOf(options, place.headers) }, ladder.withhold)
  return atAddress(place, sending, ladder, (kind, transport) => owned(once(names[kind], transport)))
}

/** Whether a server that does not know us says so in JSON-RPC, which has no place for the challenge that comes with it. */
const isUnchallenged = (error: ConnectError): boolean =>
  error._tag === "RpcError" && (error.httpStatus === 401 || error.httpStatus === 403)

const atAddress = <RM>(
  { url, wire }: UrlPlace,
  options: Given<RM>,
  ladder: Ladder,
  once: (kind: Kind, transport: Transport) => Connecting<RM, ConnectError>
): Connecting<RM> => {
  const { headers, http: client, interceptors } = options
  const asked = detect(url, { headers, interceptors, client })
  const reach = (kind: Kind): Connecting<RM, ConnectError> => once(kind, overHttp(kind, url, options))
  const known = options.wire ?? wire
  const refused = (error: ConnectError): Connecting<never> => {
    const fail = failing(ladder, known)(error)
    if (!isUnchallenged(error)) return Effect.fail(fail)
    return Effect.matchEffect(asked, {
      onFailure: (unknown) => Effect.fail(unknown.reason._tag === "NeedsAuth" ? ladder.fail(reasonOf(unknown)) : fail),
      onSuccess: () => Effect.fail(fail)
    })
  }
  if (known !== undefined) return reach(known).pipe(Effect.catch(refused))
  const found = (error: ConnectError): Connecting<RM> =>
    asked.pipe(
      Effect.tapError(({ evidence }) => Effect.sync(() => evidence.map(stepOf).forEach(ladder.note))),
      Effect.mapError((unknown) => ladder.fail(reasonOf(unknown))),
      Effect.flatMap(({ evidence, kind }): Connecting<RM> => {
        evidence.map(stepOf).forEach(ladder.note)
        return kind === "streamable-http"
          ? Effect.fail(failing(ladder)(error))
          : reach(kind).pipe(Effect.catch(refused))
      })
    )
  return reach("streamable-http").pipe(Effect.catch((error) => (leavesOpen(error) ? found(error) : refused(error))))
}

/** Connects to a server in this process. */
export const connectHost = <RM>(host: Host, options: Given<RM>, ladder: Ladder): Connecting<RM> => {
  const { info = ourselves } = options
  const connecting = Client.connect(Peer.local(host), info, clientOptions(options))
  return Effect.mapError(owned(ladder.climb("the server in this process", connecting)), failing(ladder))
}
