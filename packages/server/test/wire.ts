import { type Frame, type Host, JsonRpc, Lines, Meta, Peer } from "@effective-mcp/protocol"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

export const info = { name: "server of the tests", version: "4.5.6" }

export const clientInfo = { name: "client of the tests", version: "1.2.3" }

/** What a modern request says of itself. */
export const modernMeta = {
  [Meta.PROTOCOL_VERSION]: "2026-07-28",
  [Meta.CLIENT_INFO]: clientInfo,
  [Meta.CLIENT_CAPABILITIES]: {}
}

/** The parameters of a modern request. */
export const modern = (params: JsonRpc.JsonObject = {}, meta: JsonRpc.JsonObject = {}): JsonRpc.JsonObject => ({
  ...params,
  _meta: { ...modernMeta, ...meta }
})

/** What a modern server says of every result. */
export const stamp = { resultType: "complete", _meta: { [Meta.SERVER_INFO]: info } }

export const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }

/** Waits until `holds`; whoever may change that calls all of `waiting`. */
const until = (waiting: Set<() => void>, holds: () => boolean): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const check = (): void => {
      if (!holds()) return
      waiting.delete(check)
      resume(Effect.void)
    }
    waiting.add(check)
    check()
    return Effect.sync(() => waiting.delete(check))
  })

/** A client that writes lines and reads lines. */
export interface Wire {
  /** Writes text as it is: lines, or pieces of them. */
  readonly type: (text: string) => Effect.Effect<void>
  /** Writes messages in one piece. */
  readonly say: (...messages: ReadonlyArray<JsonRpc.Message>) => Effect.Effect<void>
  /** Writes a request with a fresh id and waits for its response. */
  readonly ask: (method: string, params?: JsonRpc.JsonObject) => Effect.Effect<JsonRpc.Response>
  /** The same, for the result; an error response is a defect. */
  readonly result: (method: string, params?: JsonRpc.JsonObject) => Effect.Effect<JsonRpc.JsonObject>
  /** The same, for the error; a result is a defect. */
  readonly error: (method: string, params?: JsonRpc.JsonObject) => Effect.Effect<JsonRpc.ErrorObject>
  /** All that the server has written, in order. */
  readonly said: ReadonlyArray<JsonRpc.Message>
  readonly until: (holds: () => boolean) => Effect.Effect<void>
  /** Waits for the response with that id. */
  readonly answerTo: (id: JsonRpc.RequestId) => Effect.Effect<JsonRpc.Response>
  /** Says its last word, and waits until the server has ended. */
  readonly close: Effect.Effect<void>
}

/** Hosts a server on a pipe of lines, as stdio is. */
export const wire = Effect.fnUntraced(function* <R>(
  server: Host<R>,
  options?: Peer.ServeOptions
): Effect.fn.Return<Wire, never, Scope.Scope | R> {
  const frames = yield* Queue.unbounded<Frame.Frame, Cause.Done>()
  const splitter = Lines.splitter()
  const encoder = new TextEncoder()
  const said: Array<JsonRpc.Message> = []
  const waiting = new Set<() => void>()
  let ids = 0

  const hosting = yield* Peer.host(
    {
      incoming: Effect.succeed(Queue.takeAll(frames)),
      send: (message) =>
        Effect.sync(() => {
          said.push(JSON.parse(Lines.encode(message)))
          for (const check of waiting) check()
        })
    },
    server,
    options
  ).pipe(Effect.forkScoped({ startImmediately: true }))

  const type = (text: string) =>
    Effect.sync(() => {
      const read: Array<Frame.Frame> = []
      splitter.push(encoder.encode(text), (frame) => read.push(frame))
      Queue.offerAllUnsafe(frames, read)
    })
  const say = (...messages: ReadonlyArray<JsonRpc.Message>) =>
    type(messages.map((message) => Lines.encode(message)).join(""))
  const find = (id: JsonRpc.RequestId) => said.filter(JsonRpc.isResponse).find((response) => response.id === id)
  const answerTo = (id: JsonRpc.RequestId) =>
    Effect.map(
      until(waiting, () => find(id) !== undefined),
      () => find(id)!
    )
  const ask: Wire["ask"] = (method, params) =>
    Effect.suspend(() => {
      const id = `ask ${++ids}`
      return Effect.andThen(say(JsonRpc.request(id, method, params)), answerTo(id))
    })
  return {
    type,
    say,
    ask,
    answerTo,
    said,
    until: (holds) => until(waiting, holds),
    result: (method, params) =>
      Effect.flatMap(ask(method, params), (response) =>
        JsonRpc.isSuccess(response) ? Effect.succeed(response.result) : Effect.die(new Error(JSON.stringify(response)))
      ),
    error: (method, params) =>
      Effect.flatMap(ask(method, params), (response) =>
        JsonRpc.isSuccess(response) ? Effect.die(new Error(JSON.stringify(response))) : Effect.succeed(response.error)
      ),
    close: Effect.suspend(() => {
      Queue.endUnsafe(frames)
      return Effect.asVoid(Fiber.await(hosting))
    })
  }
})

/** Keeps what is logged, as text, instead of printing it. */
export class Log {
  readonly lines: Array<string> = []
  readonly layer = Logger.layer([
    Logger.make(({ cause, logLevel, message }) => {
      this.lines.push(`${logLevel} ${[message].flat().map(String).join(" ")} ${String(cause)} ${JSON.stringify(cause)}`)
    })
  ])
}
