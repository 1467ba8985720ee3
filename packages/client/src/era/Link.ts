import { type Connection, type Era, JsonRpc, type Revision, TransportError } from "@effective-mcp/protocol"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { make as makeQuestions, type Questions } from "../answers/Questions.ts"
import type { Withheld } from "../ClientError.ts"
import { type Bounds, make as makeDeadlines, timedOut } from "../Deadlines.ts"
import type { Host } from "../Host.ts"
import * as Guard from "../Guard.ts"
import type { RequestOptions } from "../Session.ts"
import { spentOf } from "../Spent.ts"
import { make as makeAsked } from "./asked.ts"
import { type Hearers, Hearing } from "./Hearing.ts"
import { noteLate } from "./heard.ts"
import { type Marks, metaOf } from "./metaOf.ts"
import { tellRoots } from "./tellRoots.ts"

/** One connection with what every request on it shares: fresh ids, deadlines, and answers to what the server asks. */
export interface Link {
  /** Begins a request at once, in the fiber that it is given. Its id is its progress token as well. */
  readonly call: (
    fiber: Fiber.Fiber<unknown, unknown>,
    method: string,
    params: JsonRpc.JsonObject,
    marks: Marks,
    options: RequestOptions
  ) => Effect.Effect<JsonRpc.Response, TransportError | Withheld>
  /** How long a request waits by default, in ms. */
  readonly timeoutMs: number
  /** A request that stays open: no deadline is its own. `params` makes the parameters for the id that it gets. */
  readonly attend: (
    method: string,
    params: (id: JsonRpc.RequestId) => JsonRpc.JsonObject,
    hear: (said: JsonRpc.Notification, id: JsonRpc.RequestId) => void
  ) => Effect.Effect<JsonRpc.Response, TransportError>
  /** How often a call that is answered with questions is made again. */
  readonly maxRounds: number
  /** How long a request with these options may take. */
  readonly bounds: (options: RequestOptions) => Bounds
  readonly notify: (method: string) => Effect.Effect<void, TransportError>
  /** From now on the server is of this era. Until then its requests are answered: it may be a legacy one. */
  readonly settle: (era: Era) => void
  /** From now on this revision is spoken, and its questions are answered. */
  readonly speak: (revision: Revision) => void
  /** How its host answers. */
  readonly questions: Questions
}

export interface Timeouts {
  readonly timeout: Duration.Input
  readonly totalTimeout: Duration.Input
}

/** The ids of a client's requests: none is used twice, on whatever connection. */
export interface Ids {
  last: number
}

interface Defaults {
  readonly ids: Ids
  readonly timeouts: Timeouts
  readonly maxRounds: number
}

/** Notes of a call that failed whether it had been heard of. Only over HTTP does it matter, see `Remedy`. */
const noting = <E>(exchanged: Effect.Effect<JsonRpc.Response, E>, hearing: Hearing) =>
  Effect.map(exchanged, (response) => {
    if (hearing.isHeard && !JsonRpc.isSuccess(response)) noteLate(response.error)
    return response
  })

export const open = Effect.fnUntraced(function* <R>(
  transport: Effect.Effect<Connection, TransportError, R | Scope.Scope>,
  { ids, maxRounds, timeouts: defaults }: Defaults,
  host: Host
): Effect.fn.Return<Link, TransportError, R | Scope.Scope> {
  const bound = (timeout = defaults.timeout, totalTimeout = defaults.totalTimeout): Bounds => ({
    requestMs: Duration.toMillis(timeout),
    totalMs: Duration.toMillis(totalTimeout)
  })
  const usual = bound()
  // a wire that never opens would hold up all who wait for the session, and every attempt after this one
  const connection = yield* Effect.timeoutOrElse(transport, {
    duration: usual.requestMs,
    orElse: () => Effect.fail(TransportError.make({ _tag: "TimedOut", afterMs: usual.requestMs }, "NotSent"))
  })
  const deadlines = yield* makeDeadlines(connection.abandon)
  let era: Era | undefined
  let ignored = 0

  /** Says so the first time, and ever more rarely. */
  const ignore: Effect.Effect<void> = Effect.suspend(() => {
    const count = ++ignored
    return (count & (count - 1)) === 0
      ? Effect.logWarning(`A modern server sent a request of its own, which is ignored; ${count} so far`)
      : Effect.void
  })
  /** A modern server asks nothing this way, and a client writes no response to it. */
  const send: Connection["send"] = (message) =>
    era === "modern" && !("method" in message) ? ignore : connection.send(message)
  const questions = makeQuestions(host.answers)
  const asked = yield* makeAsked({ ...connection, send }, host, questions, deadlines)

  const notify = (method: string) =>
    Effect.timeoutOrElse(connection.send(JsonRpc.notification(method)), {
      duration: usual.requestMs,
      orElse: () => Effect.fail(timedOut(method, usual.requestMs, "NotSent"))
    })
  if (host.answers.roots !== undefined) {
    yield* tellRoots(host.answers.roots, () => asked.revision(), notify)
  }

  const hearers: Hearers = {
    revision: asked.revision,
    hear: (call, said) => ("id" in said && era === "modern" ? ignore : asked.hear(call, said))
  }

  const begin = (request: JsonRpc.Request, bounds: Bounds, options: RequestOptions) => {
    const { id, method } = request
    const time = deadlines.begin(id, method, bounds, spentOf(options))
    const hearing = new Hearing(hearers, id, method, options, time)
    const exchanged = time.during(connection.exchange(request, (said) => hearing.hear(said)))
    return connection.wire === "http" ? noting(exchanged, hearing) : exchanged
  }

  return {
    questions,
    maxRounds,
    timeoutMs: usual.requestMs,
    notify,
    bounds: ({ timeout, totalTimeout }) => bound(timeout, totalTimeout),
    settle: (settled) => {
      era = settled
    },
    speak: asked.speak,
    attend: (method, params, hear) =>
      Effect.suspend(() => {
        const id = ++ids.last
        return connection.exchange(JsonRpc.request(id, method, params(id)), (said) =>
          "id" in said ? ignore : Effect.sync(() => hear(said, id))
        )
      }),
    call: (fiber, method, params, marks, options) => {
      const id = ++ids.last
      const { timeout, totalTimeout } = options
      const bounds = timeout === undefined && totalTimeout === undefined ? usual : bound(timeout, totalTimeout)
      const request = JsonRpc.request(id, method, { ...params, _meta: metaOf(marks, options, id) })
      const guard = fiber.getRef(Guard.Current)
      return guard === undefined
        ? begin(request, bounds, options)
        : Effect.andThen(
            guard({ method, params: request.params ?? {} }),
            Effect.suspend(() => begin(request, bounds, options))
          )
    }
  }
})
