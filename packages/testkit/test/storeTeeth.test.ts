import { Changes } from "@effective-mcp/server"
import { type Case, ChangesContract, EventStoreContract, SessionStoreContract } from "@effective-mcp/testkit"
import { EventStore, SessionStore } from "@effective-mcp/transport-http/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"

/** What is wrong, which rule catches it, and what makes each node. */
type Fault<S> = readonly [fault: string, caughtBy: string, node: () => () => S]

/** Two nodes over one store, each with the same change to it. */
const over =
  <S>(make: () => S, change: (right: S) => S) =>
  () => {
    const right = make()
    return () => change(right)
  }

const inMemory = () => EventStore.memory()
const order = "gives what a stream has said after an event, in order and as often as it is asked"
const text = "keeps any text, and none"
const unknown = "knows no event of another session or stream, nor one that never was"
const apart = "keeps streams apart that say something at the same time"
const forgets = "forgets all streams of a session, and no other session"

const eventFaults: ReadonlyArray<Fault<EventStoreContract.EventStore>> = [
  [
    "sorts ids by their letters",
    order,
    over(inMemory, (right) => ({
      ...right,
      after: (session, stream, id) =>
        Effect.map(right.after(session, stream, id), (events) => events?.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    }))
  ],
  [
    "gives what it has given no second time",
    order,
    over(inMemory, (right) => ({
      ...right,
      after: (session, stream, id) => Effect.tap(right.after(session, stream, id), right.forget(session))
    }))
  ],
  [
    "gives the event itself as well",
    order,
    over(inMemory, (right) => ({
      ...right,
      after: (session, stream, id) =>
        Effect.map(right.after(session, stream, id), (events) => events && [{ id, data: "" }, ...events])
    }))
  ],
  [
    "leaves out events without data",
    text,
    over(inMemory, (right) => ({
      ...right,
      after: (session, stream, id) =>
        Effect.map(right.after(session, stream, id), (events) => events?.filter(({ data }) => data !== ""))
    }))
  ],
  [
    "gives nothing, instead of undefined",
    unknown,
    over(inMemory, (right) => ({
      ...right,
      after: (session, stream, id) => Effect.map(right.after(session, stream, id), (events) => events ?? [])
    }))
  ],
  [
    "does not look at the session",
    unknown,
    over(inMemory, (right) => ({
      ...right,
      append: (_, stream, event) => right.append("", stream, event),
      after: (_, stream, id) => right.after("", stream, id)
    }))
  ],
  [
    "reads, waits and writes",
    apart,
    () => {
      let all: { readonly [stream: string]: ReadonlyArray<EventStoreContract.Event> } = {}
      return () => ({
        append: (_, stream, event) =>
          Effect.suspend(() => {
            const before = all
            return Effect.map(Effect.yieldNow, () => {
              all = { ...before, [stream]: [...(before[stream] ?? []), event] }
            })
          }),
        after: (_, stream, id) =>
          Effect.sync(() => {
            const events = all[stream] ?? []
            const at = events.findIndex((event) => event.id === id)
            return at < 0 ? undefined : events.slice(at + 1)
          }),
        forget: () => Effect.void
      })
    }
  ],
  ["never forgets", forgets, over(inMemory, (right) => ({ ...right, forget: () => Effect.void }))],
  [
    "forgets what begins alike",
    forgets,
    over(inMemory, (right) => ({
      ...right,
      forget: (session) => Effect.andThen(right.forget(session), right.forget(`${session}0`))
    }))
  ],
  ["is another one on each node", `${forgets}, between two nodes`, () => inMemory]
]

const last = "gives what was kept last under an id"
const all = "gives all of it, and nothing that was not there"
const ids = "tells ids apart to the letter"
const removed = "forgets what was removed, and nothing else"
const time = "forgets what its time is over for, counted from when it was kept last"

const sessionFaults: ReadonlyArray<Fault<SessionStoreContract.SessionStore>> = [
  [
    "keeps the first",
    last,
    over(SessionStore.memory, (right) => ({
      ...right,
      put: (id, kept, ms) => Effect.flatMap(right.get(id), (old) => right.put(id, old ?? kept, ms))
    }))
  ],
  [
    "gives null for what was absent",
    all,
    over(SessionStore.memory, (right) => ({
      ...right,
      get: (id) => Effect.map(right.get(id), (kept) => kept && JSON.parse(JSON.stringify({ owner: null, ...kept })))
    }))
  ],
  [
    "keeps the members it knows",
    all,
    over(SessionStore.memory, (right) => ({
      ...right,
      put: (id, { origin, owner, snapshot: { capabilities, client, revision } }, ms) =>
        right.put(id, JSON.parse(JSON.stringify({ origin, owner, snapshot: { capabilities, client, revision } })), ms)
    }))
  ],
  [
    "does not look at the case of letters",
    ids,
    over(SessionStore.memory, (right) => ({
      put: (id, kept, ms) => right.put(id.toLowerCase(), kept, ms),
      get: (id) => right.get(id.toLowerCase()),
      remove: (id) => right.remove(id.toLowerCase())
    }))
  ],
  [
    "finds what every object has",
    ids,
    () => {
      const sessions: { [id: string]: SessionStoreContract.Kept } = {}
      return () => ({
        put: (id, kept) => Effect.sync(() => void (sessions[id] = kept)),
        get: (id) => Effect.sync(() => sessions[id]),
        remove: (id) => Effect.sync(() => void delete sessions[id])
      })
    }
  ],
  ["never removes", removed, over(SessionStore.memory, (right) => ({ ...right, remove: () => Effect.void }))],
  [
    "keeps for ever",
    time,
    over(SessionStore.memory, (right) => ({ ...right, put: (id, kept) => right.put(id, kept, Infinity) }))
  ],
  [
    "counts from when it was kept first",
    time,
    over(SessionStore.memory, (right) => {
      const lives = new Map<string, number>()
      return {
        ...right,
        put: (id, kept, ms) => {
          lives.set(id, lives.get(id) ?? ms)
          return right.put(id, kept, lives.get(id) ?? ms)
        }
      }
    })
  ],
  [
    "remembers on each node what it has given",
    `${last}, between two nodes`,
    over(SessionStore.memory, (right) => {
      const given = new Map<string, SessionStoreContract.Kept>()
      return {
        put: (id, kept, ms) => {
          given.set(id, kept)
          return right.put(id, kept, ms)
        },
        get: (id) =>
          given.has(id)
            ? Effect.succeed(given.get(id))
            : Effect.tap(right.get(id), (kept) => Effect.sync(() => kept && given.set(id, kept))),
        remove: (id) =>
          Effect.andThen(
            Effect.sync(() => given.delete(id)),
            right.remove(id)
          )
      }
    })
  ]
]

const everybody = "what one publishes everybody hears once, in order"
const left = "whoever has left hears nothing, and the others go on"

const changesFaults: ReadonlyArray<Fault<ChangesContract.Changes>> = [
  [
    "tells of tools alone",
    everybody,
    over(Changes.make, (right) => ({
      ...right,
      publish: (change) => right.publish(change._tag === "ListChanged" ? Changes.listChanged("tools") : change)
    }))
  ],
  [
    "tells its own node at once, and of what has come from it again",
    `${everybody}, between two nodes`,
    () => {
      const bus = Changes.make()
      return () => {
        const own = Changes.make()
        return {
          publish: (change) => Effect.andThen(own.publish(change), bus.publish(change)),
          subscribe: (hear) => Effect.andThen(own.subscribe(hear), bus.subscribe(hear))
        }
      }
    }
  ],
  [
    "loses one of a hundred",
    "nothing of many is lost",
    over(Changes.make, (right) => {
      let published = 0
      return {
        ...right,
        publish: (change) => Effect.suspend(() => (++published % 100 === 0 ? Effect.void : right.publish(change)))
      }
    })
  ],
  [
    "says the last change again to who comes",
    "what was published before is not heard",
    over(Changes.make, (right) => {
      let last: Changes.Change | undefined
      return {
        publish: (change) => {
          if (change._tag === "Updated" && !change.uri.startsWith("mark:")) last = change
          return right.publish(change)
        },
        subscribe: (hear) => {
          if (last !== undefined) hear(last)
          return right.subscribe(hear)
        }
      }
    })
  ],
  [
    "never lets go of a listener",
    left,
    over(Changes.make, (right) => {
      const all = new Set<(change: Changes.Change) => void>()
      return {
        publish: (change) =>
          Effect.andThen(
            right.publish(change),
            Effect.sync(() => all.forEach((hear) => hear(change)))
          ),
        subscribe: (hear) => Effect.sync(() => void all.add(hear))
      }
    })
  ],
  [
    "closes for good when the last one leaves",
    "whoever comes back, once all had left, hears again",
    over(Changes.make, (right) => {
      let isClosed = false
      return {
        publish: (change) => Effect.suspend(() => (isClosed ? Effect.void : right.publish(change))),
        subscribe: (hear) =>
          Effect.andThen(
            right.subscribe(hear),
            Effect.addFinalizer(() => Effect.sync(() => (isClosed = true)))
          )
      }
    })
  ],
  [
    "takes two of one function for one",
    "a listener may subscribe twice, and leave once",
    () => {
      const all = new Set<(change: Changes.Change) => void>()
      return () => ({
        publish: (change) => Effect.sync(() => all.forEach((hear) => hear(change))),
        subscribe: (hear) =>
          Effect.asVoid(
            Effect.acquireRelease(
              Effect.sync(() => all.add(hear)),
              () => Effect.sync(() => all.delete(hear))
            )
          )
      })
    }
  ],
  [
    "dies when nobody listens",
    "publishing to nobody does no harm",
    over(Changes.make, (right) => ({ ...right, publish: () => Effect.die("nobody listens") }))
  ],
  ["is another one on each node", `${left}, between two nodes`, () => Changes.make]
]

const outcome = Effect.fnUntraced(function* (cases: ReadonlyArray<Case>, name: string) {
  const found = cases.find((one) => one.name === name)
  if (found === undefined) return yield* Effect.die(`there is no case called ${name}`)
  const running = yield* Effect.forkScoped(Effect.exit(found.check))
  // enough turns for any case to come to its end, before the time that is left for it is over at once
  for (let turn = 0; turn < 5_000 && running.pollUnsafe() === undefined; turn++) yield* Effect.yieldNow
  yield* TestClock.adjust("5 seconds")
  return yield* Fiber.join(running)
})

const teeth = <S>(
  what: string,
  casesOf: (make: Effect.Effect<S>) => ReadonlyArray<Case>,
  right: () => S,
  faults: ReadonlyArray<Fault<S>>
) =>
  describe(what, () => {
    for (const [fault, name, make] of faults) {
      it.effect(`${fault}: "${name}"`, () =>
        Effect.gen(function* () {
          const one = right()
          expect(yield* outcome(casesOf(Effect.succeed(one)), name)).toStrictEqual(Exit.void)
          const broken = yield* outcome(casesOf(Effect.sync(make())), name)
          const reason = fault === "dies when nobody listens" ? { _tag: "Die" } : { error: { _tag: "Mismatch" } }
          expect(broken).toMatchObject({ cause: { reasons: [reason] } })
        })
      )
    }
  })

const shared = true
teeth(
  "the cases catch an event store that",
  (make) => EventStoreContract.cases(make, { shared }),
  inMemory,
  eventFaults
)
teeth(
  "the cases catch a session store that",
  (make) => SessionStoreContract.cases(make, { shared, wait: TestClock.adjust }),
  SessionStore.memory,
  sessionFaults
)
teeth(
  "the cases catch changes of which one",
  (make) => ChangesContract.cases(make, { shared }),
  Changes.make,
  changesFaults
)

describe("what several nodes share", () => {
  it.effect("is made for each case, twice between two nodes, and its scope ends with the case", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const make = Effect.acquireRelease(
        Effect.sync(() => {
          said.push("made")
          return Changes.make()
        }),
        () => Effect.sync(() => said.push("released"))
      )
      const cases = ChangesContract.cases(make, { shared })
      yield* cases[0]!.check
      expect(said).toEqual(["made", "released"])
      yield* Effect.exit(outcome(cases, `${everybody}, between two nodes`))
      expect(said).toEqual(["made", "released", "made", "made", "released", "released"])
    })
  )

  it.each([
    [
      "events",
      EventStoreContract.cases(Effect.sync(inMemory)),
      EventStoreContract.cases(Effect.sync(inMemory), { shared })
    ],
    [
      "changes",
      ChangesContract.cases(Effect.sync(Changes.make)),
      ChangesContract.cases(Effect.sync(Changes.make), { shared })
    ]
  ])("is tried twice as much: %s", (_, alone, together) => {
    expect(together.length).toBe(2 * alone.length)
    expect(new Set(together.map(({ name }) => name)).size).toBe(together.length)
  })
})
