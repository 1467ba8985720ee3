import {
  boundsOf,
  Cors,
  Guard,
  type HttpHandler,
  type HttpRequest,
  Intake,
  KeepAlive,
  Ownership,
  requirePositive,
  type Wanting
} from "@effective-mcp/http"
import { type Host, limits, type PrincipalService, Serving } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { admission } from "./checks.ts"
import type { Endpoint } from "./Endpoint.ts"
import { METHOD, NAME, SESSION, VERSION } from "./headers.ts"
import type { HttpCall } from "./HttpCall.ts"
import type { Options, SessionOptions } from "./Options.ts"
import { type Learned, make as makeLearned } from "./ParamHeaders.ts"
import { refuse } from "./refuse.ts"
import { make as makeSessions } from "./sessions.ts"

export type { Given, Verified, Wanting } from "@effective-mcp/http"

/** A server, or one for each request: for a tenant, a route, a principal. `RH` is what it takes to make one. */
export type Hosting<R, RH = Exclude<R, HttpCall>> =
  | Host<R>
  | ((request: HttpRequest) => Effect.Effect<Host<R>, never, RH>)

/** The wait that a client is told: a whole number, or it would not heed it. */
const retryOf = ({ retryMs = limits.retryMs }: SessionOptions): number => {
  if (!(Number.isSafeInteger(retryMs) && retryMs >= 0))
    throw new Error(`retryMs is no number of milliseconds: ${retryMs}`)
  return retryMs
}

/** What pages may send and read here, besides what they may everywhere. */
const ownCors = {
  methods: ["POST", "GET", "DELETE"],
  exposed: ["Mcp-Session-Id", "MCP-Protocol-Version"],
  headers: [VERSION, SESSION, METHOD, NAME, "mcp-param-*"]
}

/**
 * Serves a host at one endpoint, to clients of every revision that speaks Streamable HTTP. Closing the scope lets what
 * runs come to an end for a while, and interrupts the rest.
 *
 * An option that is out of range is a mistake of the author: it throws.
 *
 * @returns the endpoint, for `toFetch` and `toNodeListener`
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export const make = Effect.fnUntraced(function* <R, P extends PrincipalService = never, RH = never>(
  hosting: Hosting<R, RH>,
  options: Options<P> = {}
): Effect.fn.Return<HttpHandler, never, Wanting<R, P, RH> | Scope.Scope> {
  type Rest = Wanting<R, P, RH>
  const { json = false, listens = limits.listens, sessions: wanted = {} } = options
  const { bodiesBytes, drainMs, idleMs, keepAliveMs, most, reaperMs, stallMs } = boundsOf(
    options,
    wanted === false ? {} : wanted
  )
  requirePositive({ listens })
  // no request belongs to what has started the server
  const context = Context.omit(Tracer.ParentSpan)(yield* Effect.context<Rest>()) as Context.Context<Rest> // cast: no service that it needs
  const run = Effect.runForkWith(context)
  const clock = yield* Clock.Clock
  const keepAlive = KeepAlive.make(keepAliveMs, run)
  const stalled = KeepAlive.make(stallMs / 2, run)
  const now = (): number => clock.currentTimeMillisUnsafe()
  const reading = KeepAlive.make(limits.bodyMs / 2, run)
  const intake = Intake.make({ most: bodiesBytes, now })
  const sessions =
    wanted === false
      ? undefined
      : makeSessions<Rest | HttpCall>({
          idleMs,
          most,
          reaperMs,
          store: wanted.store,
          now,
          manner: { keepAlive, stalled, json, events: wanted.events, retryMs: retryOf(wanted) },
          run
        })
  const hostBy = typeof hosting === "function" ? hosting : () => hosting
  const learned = new WeakMap<object, Learned<Rest | HttpCall>>()
  const endpoint: Endpoint<Rest> = {
    hostFor: hostBy as unknown as Endpoint<Rest>["hostFor"], // cast: what a host needs is what the wire gives it, and the rest
    learnedOf: (host) => {
      const known = learned.get(host) ?? makeLearned(host)
      learned.set(host, known)
      return known
    },
    paramHeaders: options.paramHeaders,
    run,
    keepAlive,
    stalled,
    reading,
    intake,
    json,
    sessions,
    ...Ownership.make(wanted === false ? {} : wanted),
    listens: { open: new Map(), most: listens }
  }
  const serve = admission(endpoint, options)

  const active = new Set<Fiber.Fiber<unknown, unknown>>()
  let isClosing = false
  /** Serves with the endpoint's services, as one of those that are active. */
  const handler: HttpHandler = (request, response) =>
    Effect.withFiber((fiber) => {
      if (isClosing) return Effect.sync(() => refuse(response, 503, "Service unavailable"))
      const before = fiber.context
      const serving = Effect.suspend(() => {
        fiber.setContext(Context.merge(before, context))
        active.add(fiber)
        return serve(request, response)
      })
      return Effect.onExitPrimitive(serving, () => {
        fiber.setContext(before)
        active.delete(fiber)
        return undefined
      }) as Effect.Effect<void> // cast: its services are there by then
    })
  const drained: Effect.Effect<void> = Effect.suspend(() => {
    const all = [...active, ...(sessions?.running() ?? [])]
    return all.length === 0 ? Effect.void : Effect.andThen(Fiber.awaitAll(all), drained)
  })
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      isClosing = true
      for (const [fiber, listening] of endpoint.listens.open) if (!listening.close()) fiber.interruptUnsafe()
      yield* sessions?.hush ?? Effect.void
      yield* Effect.timeoutOption(Effect.interruptible(drained), drainMs)
      yield* sessions?.closeAll ?? Effect.void
      for (const fiber of active) fiber.interruptUnsafe()
      for (const beats of [keepAlive, stalled, reading]) beats.close()
    })
  )
  Serving.begin()
  return Guard.before(options, Cors.before(options, ownCors, handler), refuse)
})
