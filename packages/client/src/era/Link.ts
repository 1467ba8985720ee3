import {
  type Connection,
  type Era,
  JsonRpc,
  type Progress,
  type Revision,
  type TransportError
} from "@effective-mcp/protocol"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { make as makeQuestions, type Questions } from "../answers/Questions.ts"
import type { Withheld } from "../ClientError.ts"
import { type Bounds, make as makeDeadlines, type Pulse, timedOut } from "../Deadlines.ts"
import type { Host } from "../Host.ts"
import * as Guard from "../Guard.ts"
import type { RequestOptions } from "../Session.ts"
import { spentOf } from "../Spent.ts"
import { type Call, make as makeAsked } from "./asked.ts"
import { logOf, noteLate } from "./heard.ts"
import { tellRoots } from "./tellRoots.ts"

/** One connection with what every request on it shares: fresh ids, deadlines, and answers to what the server asks. */
export interface Link {
  /** `params` makes the parameters for the id that the request gets, which is its progress token as well. */
  readonly call: (
    method: string,
    params: (id: JsonRpc.RequestId) => JsonRpc.JsonObject,
    options: RequestOptions
  ) => Effect.Effect<JsonRpc.Response, TransportError | Withheld>
  /** How long a request waits by default, in ms. */
  readonly timeoutMs: number
  /** A request that stays open: no deadline is its own. */
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

const isFinite = (value: unknown): value is number => Number.isFinite(value)

/**
 * What a report says, if it says more than `last`: progress only ever increases.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 */
const toProgress = ({ params = {} }: JsonRpc.Notification, last: number): Progress | undefined => {
  const { message, progress, total } = params
  if (!isFinite(progress) || progress <= last) return undefined
  return {
    progress,
    ...(isFinite(total) ? { total } : undefined),
    ...(typeof message === "string" ? { message } : undefined)
  }
}

export const open = Effect.fnUntraced(function* <R>(
  transport: Effect.Effect<Connection, TransportError, R | Scope.Scope>,
  { ids, maxRounds, timeouts: defaults }: Defaults,
  host: Host
): Effect.fn.Return<Link, TransportError, R | Scope.Scope> {
  const connection = yield* transport
  const deadlines = yield* makeDeadlines
  const bound = (timeout = defaults.timeout, totalTimeout = defaults.totalTimeout): Bounds => ({
    requestMs: Duration.toMillis(timeout),
    totalMs: Duration.toMillis(totalTimeout)
  })
  const usual = bound()
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
    call: (method, params, options) =>
      Effect.withFiber((fiber) => {
        const id = ++ids.last
        const { onLog, onProgress, timeout, totalTimeout } = options
        const bounds = timeout === undefined && totalTimeout === undefined ? usual : bound(timeout, totalTimeout)
        let last = -Infinity
        let call: Call | undefined
        let isHeard = false
        const noted = (response: JsonRpc.Response): JsonRpc.Response => {
          if (isHeard && !JsonRpc.isSuccess(response)) noteLate(response.error)
          return response
        }
        const exchange = (pulse: Pulse) =>
          connection.exchange(JsonRpc.request(id, method, params(id)), (said) => {
            isHeard = true
            if ("id" in said || said.method !== "notifications/progress") {
              if ("id" in said && era === "modern") return ignore
              const heard = asked.hear((call ??= { method, id, pulse, questions: undefined }), said)
              const log = onLog === undefined || "id" in said ? undefined : logOf(said, asked.revision())
              const hearing = log === undefined ? undefined : onLog?.(log)
              return hearing === undefined ? heard : Effect.andThen(heard, hearing)
            }
            // over HTTP a report is on the stream of a request, whatever its token says
            if (said.params?.progressToken !== id) return Effect.void
            pulse.alive()
            const report = onProgress === undefined ? undefined : toProgress(said, last)
            if (report === undefined) return Effect.void
            last = report.progress
            const hearing = onProgress?.(report)
            if (hearing === undefined) return Effect.void
            // what comes meanwhile is not heard yet, and no sign of a server that is silent
            pulse.hold()
            return Effect.ensuring(
              hearing,
              Effect.sync(() => pulse.alive())
            )
          })
        const { abandon } = connection
        const expire = abandon && ((error: TransportError) => abandon(id, error))
        const timed = deadlines.within(method, bounds, exchange, expire, spentOf(options))
        // only there does it matter, see `Remedy`
        const within = connection.wire === "http" ? Effect.map(timed, noted) : timed
        const guard = fiber.getRef(Guard.Current)
        return guard === undefined ? within : Effect.andThen(guard({ method, params: params(id) }), within)
      })
  }
})
