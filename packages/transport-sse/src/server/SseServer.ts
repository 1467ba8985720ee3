import {
  boundsOf,
  Cors,
  Guard,
  HttpCall,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  Intake,
  KeepAlive,
  Ownership,
  principalOf,
  type Wanting
} from "@effective-mcp/http"
import { ErrorCode, type Host, limits, type PrincipalService, Serving } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { admission } from "./checks.ts"
import { endpointFor, requireEndpoint } from "./endpoint.ts"
import type { Options } from "./Options.ts"
import { post, VERSION } from "./post.ts"
import { refuse } from "./refuse.ts"
import { Session } from "./Session.ts"
import { Sessions } from "./Sessions.ts"

export type { Given, Verified, Wanting } from "@effective-mcp/http"

/** A server, or one for each stream: for a tenant, a route, a principal. `RH` is what it takes to make one. */
export type Hosting<R, RH = Exclude<R, HttpCall>> =
  | Host<R>
  | ((request: HttpRequest) => Effect.Effect<Host<R>, never, RH>)

/** What pages may send and read here, besides what they may everywhere. */
const ownCors = { methods: ["GET", "POST"], exposed: [], headers: [VERSION] }

const isLegacy = ({ eras }: Pick<Host, "eras">): boolean => eras?.includes("legacy") !== false

/**
 * Serves a host to clients that speak HTTP+SSE, which is of the legacy era: a GET opens a stream and with it a session,
 * and each message of the client is a POST. Both come to the handler that this makes, at one path or at two. Closing the
 * scope lets what runs come to an end for a while, and interrupts the rest.
 *
 * An option that is out of range, or a host that does not speak the legacy era, is a mistake of the author: it throws.
 *
 * @returns the endpoint, for `toFetch` and `toNodeListener`
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export const make = Effect.fnUntraced(function* <R, P extends PrincipalService = never, RH = never>(
  hosting: Hosting<R, RH>,
  options: Options<P> = {}
): Effect.fn.Return<HttpHandler, never, Wanting<R, P, RH> | Scope.Scope> {
  type Rest = Wanting<R, P, RH>
  const { messages, sessions: wanted = {} } = options
  const bounds = boundsOf(options, wanted)
  const { bodiesBytes, depth, drainMs, idleMs, keepAliveMs, messageBytes, most, reaperMs, stallMs } = bounds
  if (messages !== undefined) requireEndpoint(messages)
  if (typeof hosting !== "function" && !isLegacy(hosting)) throw new Error("the server does not speak the legacy era")

  // no request belongs to what has started the server
  const context = Context.omit(Tracer.ParentSpan)(yield* Effect.context<Rest>()) as Context.Context<Rest> // cast: no service that it needs
  const run = Effect.runForkWith(context)
  const clock = yield* Clock.Clock
  const now = (): number => clock.currentTimeMillisUnsafe()
  const alive = KeepAlive.make(keepAliveMs, run)
  const stalled = KeepAlive.make(stallMs / 2, run)
  const behind = KeepAlive.make(limits.behindPaceMs, run)
  const reading = KeepAlive.make(limits.bodyMs / 2, run)
  const intake = Intake.make({ most: bodiesBytes, now })
  const hostBy = typeof hosting === "function" ? hosting : () => Effect.succeed(hosting)
  const hostFor = hostBy as unknown as (request: HttpRequest) => Effect.Effect<Host<Rest | HttpCall>, never, Rest> // cast: what a host needs is what the wire gives it, and the rest
  const sessions = new Sessions<Rest | HttpCall>({ most, idleMs, reaperMs, run })
  const { mayUse, ownerOf } = Ownership.make(wanted)

  /** A session, for as long as its client reads the stream. */
  const open = (
    host: Host<Rest | HttpCall>,
    request: HttpRequest,
    response: HttpResponse,
    owner: string | undefined
  ): Effect.Effect<void, never, Rest> =>
    Effect.suspend(() => {
      if (!isLegacy(host)) return Effect.sync(() => refuse(response, 404, "Not found: there is no endpoint here"))
      if (!sessions.hasRoom()) {
        return Effect.sync(() => refuse(response, 503, "Too many sessions", { code: ErrorCode.InternalError }))
      }
      const id = crypto.randomUUID()
      const origin = request.header("origin")
      const session = new Session<Rest | HttpCall>(response, { id, owner, origin, messageBytes, stalled, now, run })
      const comments = { beat: () => session.keepAlive() }
      sessions.add(session)
      alive.add(comments)
      behind.add(session)
      return Effect.ensuring(
        Effect.provideService(session.serve(host, endpointFor(request, messages, id)), HttpCall, {
          request,
          closeStream: Effect.void
        }),
        Effect.sync(() => {
          sessions.remove(session)
          alive.remove(comments)
          behind.remove(session)
          response.end()
        })
      )
    })
  const get = (request: HttpRequest, response: HttpResponse): Effect.Effect<void, never, Rest> =>
    Effect.withFiber((fiber) =>
      Effect.flatMap(hostFor(request), (host) =>
        Effect.flatMap(ownerOf(request, principalOf(fiber)), (owner) => open(host, request, response, owner))
      )
    )
  const serve = admission<Rest, P>({ get, post: post(sessions, mayUse, depth) }, { reading, intake }, options)

  const active = new Set<Fiber.Fiber<unknown, unknown>>()
  let isClosing = false
  const handler: HttpHandler = (request, response) =>
    Effect.withFiber((fiber) => {
      if (isClosing) return Effect.sync(() => refuse(response, 503, "Service unavailable"))
      active.add(fiber)
      fiber.addObserver(() => active.delete(fiber))
      return Effect.provideContext(serve(request, response), context)
    })
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      isClosing = true
      sessions.endAll()
      yield* Effect.timeoutOption(Effect.interruptible(Fiber.awaitAll([...active])), drainMs)
      const left = [...active]
      for (const fiber of left) fiber.interruptUnsafe()
      yield* Effect.timeoutOption(Effect.interruptible(Fiber.awaitAll(left)), limits.farewellMs)
      for (const beats of [alive, stalled, behind, reading]) beats.close()
    })
  )
  Serving.begin()
  return Guard.before(options, Cors.before(options, ownCors, handler), refuse)
})
