import { type Connection, ErrorCode, type Handler, type Host, JsonRpc, type Listener } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** The server that every transport is tried against: a handler, and a host for transports that serve those. */
export interface Fixture extends Handler, Host {
  /** The same server where the wire has a way back to its client: it can then ask, and speak outside any exchange. */
  readonly on: (client: Connection) => Handler
  /** How often a `tools/call` with this key among its arguments has begun to run. */
  readonly ran: (key: string) => number
}

type Method = (request: JsonRpc.Request, say: Listener) => Effect.Effect<JsonRpc.Response>

export const progress = (id: JsonRpc.RequestId, n: number): JsonRpc.Notification =>
  JsonRpc.notification("notifications/progress", { progressToken: id, progress: n })

/** What a crash says, and no answer may repeat. */
const SECRET = "a secret of the fixture"

const numbers = (n: unknown): ReadonlyArray<number> => Array.from({ length: Number(n) }, (_, i) => i + 1)

const makeWith = (onRun: (key: string) => void): Fixture => {
  const runs = new Map<string, number>()
  const released = Deferred.makeUnsafe<void>()
  const lingering = Deferred.makeUnsafe<void>()
  const abandoned = Deferred.makeUnsafe<void>()
  const noted = Deferred.makeUnsafe<JsonRpc.JsonObject>()
  const nudged = Deferred.makeUnsafe<void>()
  const chattered = Deferred.makeUnsafe<void>()

  const methods: Record<string, Method> = {
    echo: ({ id, params = {} }) => Effect.succeed(JsonRpc.success(id, params)),
    /** Says `n` things, one after the other. */
    report: ({ id, params }, say) =>
      Effect.forEach(numbers(params?.n), (n) => say(progress(id, n)), { discard: true }).pipe(
        Effect.as(JsonRpc.success(id, { id }))
      ),
    /** Says `n` things at once. */
    chorus: ({ id, params }, say) =>
      Effect.forEach(numbers(params?.n), (n) => say(progress(id, n)), { concurrency: "unbounded", discard: true }).pipe(
        Effect.as(JsonRpc.success(id, { id }))
      ),
    /** Says one thing and waits for `release`. */
    pause: ({ id }, say) =>
      say(progress(id, 1)).pipe(Effect.andThen(Deferred.await(released)), Effect.as(JsonRpc.success(id, { id }))),
    release: ({ id }) => Effect.as(Deferred.succeed(released, undefined), JsonRpc.success(id, {})),
    /** Says one thing and never ends by itself. */
    linger: ({ id }, say) =>
      say(progress(id, 1)).pipe(
        Effect.andThen(Deferred.succeed(lingering, undefined)),
        Effect.andThen(Effect.never),
        Effect.ensuring(Deferred.succeed(abandoned, undefined))
      ),
    /** Waits until `linger` has said its one thing. */
    lingering: ({ id }) => Effect.as(Deferred.await(lingering), JsonRpc.success(id, {})),
    /** Waits until `linger` has been interrupted. */
    abandoned: ({ id }) => Effect.as(Deferred.await(abandoned), JsonRpc.success(id, {})),
    /** Leaves something behind that goes on talking after the response, once it is nudged. */
    chatter: ({ id }, say) => {
      // composed before the response, said after it
      const words = numbers(3).map((n) => say(progress(id, n)))
      return Deferred.await(nudged).pipe(
        Effect.andThen(Effect.all(words, { discard: true })),
        Effect.andThen(Deferred.succeed(chattered, undefined)),
        Effect.forkDetach,
        Effect.as(JsonRpc.success(id, {}))
      )
    },
    nudge: ({ id }) =>
      Deferred.succeed(nudged, undefined).pipe(
        Effect.andThen(Deferred.await(chattered)),
        Effect.as(JsonRpc.success(id, {}))
      ),
    /** What a notification called `note` held. */
    noted: ({ id }) => Effect.map(Deferred.await(noted), (params) => JsonRpc.success(id, params)),
    crash: () => Effect.die(new Error(SECRET)),
    throw: () => {
      throw new Error(SECRET)
    },
    /** Counts, and answers with the key; one that `holds` says one thing first and waits for `release`. */
    "tools/call": ({ id, params }, say) =>
      Effect.suspend(() => {
        const { holds, key } = (params?.arguments ?? {}) as { readonly key?: unknown; readonly holds?: unknown } // cast: both are unknown
        runs.set(String(key), (runs.get(String(key)) ?? 0) + 1)
        onRun(String(key))
        const answer = JsonRpc.success(id, { content: [], key })
        return holds === true
          ? say(progress(id, 1)).pipe(Effect.andThen(Deferred.await(released)), Effect.as(answer))
          : Effect.succeed(answer)
      }),
    /** An answer with `length` characters of text. */
    blob: ({ id, params }) => Effect.sync(() => JsonRpc.success(id, { text: "x".repeat(Number(params?.length)) }))
  }
  const withClient = (client: Connection): Record<string, Method> => ({
    /** Asks the client in the middle, under the id that the client's own request has: the two are not the same. */
    ask: ({ id, params }) =>
      client
        .exchange(JsonRpc.request(id, "question", params), () => Effect.void)
        .pipe(
          Effect.map((answer) => (JsonRpc.isSuccess(answer) ? JsonRpc.success(id, answer.result) : { ...answer, id })),
          Effect.orDie
        ),
    /** Says something outside any exchange. */
    announce: ({ id, params }) =>
      client
        .send(JsonRpc.notification("notifications/announcement", params))
        .pipe(Effect.as(JsonRpc.success(id, {})), Effect.orDie)
  })
  const handler = (known: Record<string, Method>): Handler => ({
    exchange: (request, say) =>
      Object.hasOwn(known, request.method)
        ? known[request.method]!(request, say)
        : Effect.succeed(
            JsonRpc.failure(request.id, {
              code: ErrorCode.MethodNotFound,
              message: `Method not found: ${request.method}`
            })
          ),
    notify: ({ method, params = {} }) => (method === "note" ? Deferred.succeed(noted, params) : Effect.void)
  })
  const modern = handler(methods)
  const on = (client: Connection): Handler => handler({ ...methods, ...withClient(client) })
  return {
    ...modern,
    on,
    modern,
    converse: () => Effect.succeed({ on, snapshot: Effect.succeed({}) }),
    ran: (key) => runs.get(key) ?? 0
  }
}

/** Makes one. All that it does can be seen from the wire, so it may run in another process. */
export const make: Effect.Effect<Fixture> = Effect.sync(() => makeWith(() => {}))

/** One that tells of each `tools/call`, by its key, before it runs: for a process that may not live to be asked. */
export const counting = (onRun: (key: string) => void): Effect.Effect<Fixture> => Effect.sync(() => makeWith(onRun))
