import { Client } from "@effective-mcp/client"
import { type Connection, Frame, JsonRpc, Meta, Peer, TransportError } from "@effective-mcp/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"

/** Who the client says it is. */
export const info = { name: "client of the tests", version: "1.2.3" }

export const closed = new TransportError({ reason: { _tag: "Closed" }, outcome: "Unknown" })

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

type Ending = TransportError | Cause.Done

/** One start of a scripted server: what it was told, and what it says. */
export class Run {
  readonly heard: Array<JsonRpc.Message> = []
  /** Whether the client has let go of it. */
  isClosed = false
  /** How many earlier starts the client still held when this one began. */
  readonly besides: number
  /** What the client's next writes fail with. */
  broken: TransportError | undefined
  /** Whether the client's next writes wait until `unstick`. */
  stuck = false
  readonly #out: Queue.Queue<Frame.Frame, Ending>
  readonly #waiting = new Set<() => void>()

  constructor(out: Queue.Queue<Frame.Frame, Ending>, besides: number) {
    this.#out = out
    this.besides = besides
  }
  hear(message: JsonRpc.Message): void {
    this.heard.push(message)
    for (const check of this.#waiting) check()
  }
  /** Waits until it has been told `method`, `times` times in all. */
  told(method: string, times = 1): Effect.Effect<void> {
    return until(this.#waiting, () => this.methods.filter((heard) => heard === method).length >= times)
  }
  /** Says messages, or raw lines, in one read. */
  say(...words: ReadonlyArray<JsonRpc.Message | string>): void {
    const lines = words.map((word) => (typeof word === "string" ? word : JSON.stringify(word)))
    Queue.offerAllUnsafe(
      this.#out,
      lines.map((line) => Frame.fromText(line))
    )
  }
  /** Waits until writes are taken again. */
  get flows(): Effect.Effect<void> {
    return until(this.#waiting, () => !this.stuck)
  }
  unstick(): void {
    this.stuck = false
    for (const check of this.#waiting) check()
  }
  /** Leaves, as a process that exits does. */
  die(): void {
    Queue.failCauseUnsafe(this.#out, Cause.fail(closed))
  }
  /** The same, and its exit is known. */
  exit(): void {
    const reason = { _tag: "Closed", exit: { code: 1, signal: null }, stderr: "boom" } as const
    Queue.failCauseUnsafe(this.#out, Cause.fail(TransportError.make(reason)))
  }
  get requests(): ReadonlyArray<JsonRpc.Request> {
    return this.heard.filter((message) => "method" in message && "id" in message)
  }
  get last(): JsonRpc.Request {
    return this.requests.at(-1)!
  }
  /** The methods of all that it was told, in order. */
  get methods(): ReadonlyArray<string> {
    return this.heard.map((message) => ("method" in message ? message.method : "a response"))
  }
  /** Answers the request that it was told last. */
  answer(result: JsonRpc.JsonObject): void {
    this.say(JsonRpc.success(this.last.id, result))
  }
}

/** How a scripted server takes a request. */
export type Act = (request: JsonRpc.Request, run: Run) => void

/** What a scripted server knows; any other request is answered as a legacy server does: method not found. */
export type Script = { readonly [method: string]: Act }

export const result =
  (value: JsonRpc.JsonObject): Act =>
  ({ id }, run) =>
    run.say(JsonRpc.success(id, value))

export const error =
  (code: number, data?: unknown): Act =>
  ({ id }, run) =>
    run.say(JsonRpc.failure(id, { code, message: "no", ...(data === undefined ? undefined : { data }) }))

/** Any line, in which `ID` stands for the id of the request. */
export const line =
  (text: string): Act =>
  ({ id }, run) =>
    run.say(text.replaceAll("ID", JSON.stringify(id)))

export const silence: Act = () => {}

export const death: Act = (_request, run) => run.die()

/** The first act the first time, and so on; the last for ever. */
export const inTurn = (...acts: readonly [Act, ...Array<Act>]): Act => {
  let turn = 0
  return (request, run) => acts[Math.min(turn++, acts.length - 1)]!(request, run)
}

const notFound = error(-32601)

/** A server whose n-th start follows the n-th script, the last one for ever. */
export const scripted = (...scripts: readonly [Script, ...Array<Script>]) => {
  const runs: Array<Run> = []
  const transport: Effect.Effect<Connection, TransportError, Scope.Scope> = Effect.gen(function* () {
    const out = yield* Queue.unbounded<Frame.Frame, Ending>()
    const run = new Run(out, runs.filter(({ isClosed }) => !isClosed).length)
    const script = scripts[Math.min(runs.length, scripts.length - 1)]!
    runs.push(run)
    yield* Effect.addFinalizer(() => Effect.sync(() => (run.isClosed = true)))
    const hear = (message: unknown): Effect.Effect<void> =>
      Effect.sync(() => {
        const heard: JsonRpc.Message = JSON.parse(JSON.stringify(message))
        run.hear(heard)
        if ("method" in heard && "id" in heard)
          (Object.hasOwn(script, heard.method) ? script[heard.method]! : notFound)(heard, run)
      })
    return yield* Peer.make({
      incoming: Effect.succeed(Queue.takeAll(out)),
      send: (message) =>
        Effect.suspend(() => {
          if (run.broken !== undefined) return Effect.fail(run.broken)
          return run.stuck ? Effect.andThen(run.flows, hear(message)) : hear(message)
        })
    })
  })
  return {
    transport,
    runs,
    /** The start that is under way. */
    get run(): Run {
      return runs.at(-1)!
    }
  }
}

export type Scripted = ReturnType<typeof scripted>

/** Waits until it has been started `times` times. */
export const started = (server: Scripted, times: number): Effect.Effect<void> =>
  Effect.suspend(() =>
    server.runs.length >= times ? Effect.void : Effect.andThen(Effect.yieldNow, started(server, times))
  )

export const connect = (server: Scripted, options?: Client.Options) => Client.connect(server.transport, info, options)

/** In the background, up to where it waits. */
export const begin = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<Fiber.Fiber<A, E>, never, R | Scope.Scope> => Effect.forkScoped(effect, { startImmediately: true })

export const serverInfo = { name: "server of the tests", version: "4.5.6" }

/** What a legacy server says to `initialize`. */
export const initialized = (changes: JsonRpc.JsonObject = {}): Act =>
  result({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo, ...changes })

/** What a modern server says to `server/discover`. */
export const discovered = (changes: JsonRpc.JsonObject = {}): Act =>
  result({
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: "private",
    _meta: { [Meta.SERVER_INFO]: serverInfo },
    ...changes
  })

export const legacy = (script: Script = {}): Script => ({ initialize: initialized(), ping: result({}), ...script })

export const modern = (script: Script = {}): Script => ({ "server/discover": discovered(), ...script })

/** The declared version of a request, and the rest of what a modern one says of its client. */
export const declared = (request: JsonRpc.Request | undefined): JsonRpc.JsonObject => {
  const meta = Meta.of(request?.params)
  return {
    version: meta[Meta.PROTOCOL_VERSION],
    client: meta[Meta.CLIENT_INFO],
    capabilities: meta[Meta.CLIENT_CAPABILITIES]
  }
}

/** Lets time pass second by second, with turns in between for what has yet to begin its wait. */
export const pass = (seconds: number): Effect.Effect<void> =>
  Effect.repeat(Effect.andThen(TestClock.adjust("1 seconds"), Effect.repeat(Effect.yieldNow, { times: 20 })), {
    times: seconds - 1
  }).pipe(Effect.asVoid)

/** Keeps what is logged, as text, instead of printing it. */
export class Log {
  readonly lines: Array<string> = []
  readonly #waiting = new Set<() => void>()
  readonly layer = Logger.layer([
    Logger.make(({ logLevel, message }) => {
      this.lines.push(`${logLevel} ${[message].flat().map(String).join(" ")}`)
      for (const check of this.#waiting) check()
    })
  ])
  /** Waits for `count` lines in all. */
  until(count: number): Effect.Effect<void> {
    return until(this.#waiting, () => this.lines.length >= count)
  }
}
