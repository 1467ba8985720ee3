import type { Client } from "@effective-mcp/client"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { connect } from "./connecting.ts"
import { follow, operations } from "./operations.ts"
import { event, type Outcome, say, toOutcome } from "./output.ts"
import type { Script, Step } from "./script.ts"

type Running = Effect.Effect<unknown, unknown, Scope.Scope>

const steps = (value: unknown): ReadonlyArray<Step> => (Array.isArray(value) ? value : [])

/** Does the steps of a script, one after the other, and says what came of each. */
export const run = (script: Script) => {
  let client: Client.Client | undefined
  const connected = Effect.suspend(() =>
    client === undefined ? Effect.die(new Error("there is no client yet: connect first")) : Effect.succeed(client)
  )
  const connecting: Running = Effect.tap(connect(script), (made) =>
    Effect.sync(() => {
      client = made
      made.hub.onHeard((heard) => {
        if (heard._tag === "Logged") event("log", heard.message)
      })
    })
  ).pipe(Effect.map(({ era, revision, server }) => ({ era, revision, server })))

  /** Told of in the background, until the script ends. */
  const following = (wish: Parameters<typeof follow>[1]): Running =>
    Effect.flatMap(connected, (client) => Effect.asVoid(Effect.forkScoped(Effect.ignore(follow(client, wish)))))

  const own: { readonly [op: string]: (step: Step) => Running } = {
    connect: () => connecting,
    subscribe: ({ uri }) => following({ resourceSubscriptions: [String(uri)] }),
    notificationStream: () =>
      Effect.map(connected, ({ hub }) => {
        hub.listen((heard) => {
          if (heard._tag === "ListChanged" || heard._tag === "Updated") event("change", { change: heard })
        })
      }),
    sleep: ({ ms }) => Effect.sleep(Number(ms)),
    cancelAfter: ({ ms, step }) =>
      Effect.flatMap(Effect.forkChild(doing(step as Step), { startImmediately: true }), (fiber) =>
        // cast: as the script has it
        Effect.andThen(
          Effect.race(Effect.exit(Fiber.join(fiber)), Effect.sleep(Number(ms))),
          Effect.andThen(Fiber.interrupt(fiber), Fiber.join(fiber))
        )
      ),
    parallel: ({ steps: given, times = 1 }) =>
      Effect.forEach(Array.from({ length: Number(times) }, () => steps(given)).flat(), (step) => settled(step), {
        concurrency: "unbounded"
      })
  }

  const doing = (step: Step): Running => {
    const { op } = step
    if (Object.hasOwn(own, op)) return own[op]!(step)
    const use = Object.hasOwn(operations, op) ? operations[op] : undefined
    return use === undefined
      ? Effect.die(new Error(`there is no operation ${op}`))
      : Effect.flatMap(connected, (client) => use(client, step))
  }
  const settled = (step: Step): Effect.Effect<Outcome, never, Scope.Scope> =>
    Effect.map(Effect.exit(doing(step)), toOutcome)

  return Effect.forEach(
    script.steps,
    (step, index) =>
      Effect.map(Effect.timed(settled(step)), ([spent, outcome]) =>
        say({ step: index + 1, ...outcome, ms: Math.round(Duration.toMillis(spent)) })
      ),
    { discard: true }
  )
}
