import { type Client, TransportError } from "@effective-mcp/client"
import { isServers } from "@effective-mcp/detector"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { connecting } from "./connecting.ts"
import { operate } from "./operations.ts"
import { type Outcome, say, toOutcome } from "./output.ts"
import { reading, type Script } from "./script.ts"
import { isRequest, type Step } from "./steps.ts"
import { follow, openStream, subscribe, tellLogs } from "./watching.ts"

type Running = Effect.Effect<unknown, unknown, Scope.Scope>

/** How long a `listen` listens unless it says so. */
const LISTEN_MS = 1_000

/** Leaves a step that is no request when its time is up; a request has its own. */
const within = (step: Step, running: Running): Running => {
  const { op, timeoutMs } = step
  if (timeoutMs === undefined || isRequest(step)) return running
  return Effect.timeoutOrElse(running, {
    duration: timeoutMs,
    orElse: () => Effect.fail(TransportError.make({ _tag: "TimedOut", afterMs: timeoutMs, method: op }))
  })
}

/** Runs a step, and interrupts it when it takes longer: how it ended then is how this ends. */
const cancelled = (running: Running, ms: number): Running =>
  Effect.flatMap(Effect.forkChild(running, { startImmediately: true }), (fiber) =>
    Effect.andThen(
      Effect.race(Effect.exit(Fiber.join(fiber)), Effect.sleep(ms)),
      Effect.andThen(Fiber.interrupt(fiber), Fiber.join(fiber))
    )
  )

interface Done {
  readonly outcome: Outcome
  readonly ms: number
}

const settled = (running: Running): Effect.Effect<Done, never, Scope.Scope> =>
  Effect.map(Effect.timed(Effect.exit(running)), ([spent, exit]) => ({
    outcome: toOutcome(exit),
    ms: Math.round(Duration.toMillis(spent))
  }))

/** With whom is spoken, and what. */
const infoOf = (client: Client.Client) => {
  const { era, revision, server } = client
  if (!isServers(client)) return { era, revision, server }
  const servers = client.servers.map(({ client: own, key, name }) => ({
    name,
    key,
    era: own.era,
    revision: own.revision,
    server: own.server
  }))
  return { era, revision, server, servers }
}

/** Does the steps of a script, one after the other, and says what came of each. Options that mean nothing throw. */
export const run = (script: Script): Effect.Effect<void, never, Scope.Scope> => {
  const { options = {} } = script
  const connect = reading("the client cannot be made", () => connecting(script))
  const alone = Semaphore.makeUnsafe(1)
  let client: Client.Client | undefined

  const first = Effect.map(connect, ({ client: made, detected }) => {
    client = made
    tellLogs(made)
    return { ...infoOf(made), ...detected }
  })
  const connected: Running = Effect.suspend(() => {
    const made = client
    return made === undefined ? first : Effect.map(made.connect, () => infoOf(made))
  })
  const using = (use: (client: Client.Client) => Running): Running =>
    Effect.suspend(() =>
      client === undefined ? Effect.die(new Error("there is no client: connect first")) : use(client)
    )

  const act = (step: Step, at: number): Running => {
    if (isRequest(step)) return using((client) => operate(step, { client, at, options }))
    switch (step.op) {
      case "connect":
        return alone.withPermit(connected)
      case "serverInfo":
        return using((client) => {
          const { capabilities, instructions } = client
          return Effect.succeed({ ...infoOf(client), capabilities, instructions })
        })
      case "listen":
        return using((client) => {
          const { filter, forMs = LISTEN_MS } = step
          return Effect.as(Effect.timeoutOption(follow(client, filter, options), forMs), null)
        })
      case "subscribe":
        return using((client) => subscribe(client, step.uri, options))
      case "notificationStream":
        return using((client) => Effect.sync(() => openStream(client)))
      case "sleep":
        return Effect.sleep(step.ms)
      case "cancelAfter":
        return cancelled(doing(step.step, at), step.ms)
      case "parallel":
        return Effect.map(
          Effect.forEach(
            Array.from({ length: step.times ?? 1 }, () => step.steps).flat(),
            (each) => settled(doing(each, at)),
            { concurrency: "unbounded" }
          ),
          (all) => all.map(({ ms, outcome }) => ({ ...outcome, ms }))
        )
      case "close":
        return using((client) => client.close)
      case "reconnect":
        return using((client) => client.reconnect)
    }
  }
  const doing = (step: Step, at: number): Running =>
    within(
      step,
      Effect.suspend(() => act(step, at))
    )

  return Effect.forEach(
    script.steps,
    (step, index) =>
      Effect.map(settled(doing(step, index + 1)), ({ ms, outcome }) => say({ step: index + 1, ...outcome, ms })),
    { discard: true }
  )
}
