import { connect } from "@effective-mcp/transport-http/client"
import type { Connection, TransportError } from "@effective-mcp/protocol"
import { connect as connectSse } from "@effective-mcp/transport-sse/client"
import { spawn } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { everythingOverHttp, everythingOverSse, everythingServer, type Other, overHttp, overStdio } from "./Program.ts"
import { freePort, served } from "./served.ts"
import type { Feature } from "./steps.ts"
import { everything } from "./words/everything.ts"
import { offered } from "./words/offered.ts"
import type { Words } from "./Words.ts"

export const legacy = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const
export const modern = ["2026-07-28"] as const

export type Revision = (typeof legacy)[number] | (typeof modern)[number]

/** A server that others wrote, on one wire. */
export interface Server {
  readonly name: string
  readonly words: Words
  /** What it speaks, the newest last. */
  readonly revisions: ReadonlyArray<Revision>
  /** Starts what there is once for all who visit; each then connects in its own way. */
  readonly start: Effect.Effect<Effect.Effect<Connection, TransportError, Scope.Scope>, Error, Scope.Scope>
  /** What it does not do, and why our client cannot have it there. */
  readonly lacks: ReadonlyArray<Lack>
}

export interface Lack {
  readonly features: ReadonlyArray<Feature>
  /** Where that is so; everywhere, if left out. */
  readonly revisions?: ReadonlyArray<Revision>
  readonly why: string
}

const both = [...legacy, ...modern]

/** What a revision itself has not, whoever speaks it. */
export const absent: ReadonlyArray<Lack> = [
  {
    features: ["structured output", "a form"],
    revisions: ["2024-11-05", "2025-03-26"],
    why: "came with 2025-06-18"
  },
  { features: ["a page"], revisions: ["2024-11-05", "2025-03-26", "2025-06-18"], why: "came with 2025-11-25" },
  {
    features: ["a page that is done", "a page before the call"],
    revisions: ["2024-11-05", "2025-03-26", "2025-06-18", "2026-07-28"],
    why: "only 2025-11-25 has it"
  }
]

const onStdio = (name: string, peer: Other, revisions: ReadonlyArray<Revision>, lacks: Server["lacks"]): Server => ({
  name: `${name} over stdio`,
  words: offered,
  revisions,
  start: Effect.succeed(spawn(overStdio(peer))),
  lacks
})

const onHttp = (
  name: string,
  peer: Other,
  revisions: ReadonlyArray<Revision>,
  lacks: Server["lacks"],
  how: "http" | "stateless" | "sse" = "http"
): Server => ({
  name: `${name} over ${how === "sse" ? "HTTP+SSE" : "HTTP"}`,
  words: offered,
  revisions,
  start: Effect.map(served(overHttp(peer, how)), (url) => (how === "sse" ? connectSse(url) : connect(url))),
  lacks
})

export const officialV1: ReadonlyArray<Server> = [
  onStdio("the official v1 server", "officialV1", legacy, []),
  onHttp("the official v1 server", "officialV1", legacy, []),
  onHttp("the official v1 server", "officialV1", legacy, [], "sse")
]

const ofV2: ReadonlyArray<Lack> = [
  { features: ["a page that is done"], why: "what asks legacy clients for it never tells that a page is done" }
]

const withoutSessions: ReadonlyArray<Lack> = [
  {
    features: ["a form", "a page", "a page that is done", "sampling", "roots", "roots that change"],
    revisions: legacy,
    why: "it cannot ask a client that it does not know"
  },
  {
    features: ["logs", "changes of lists", "changes of resources"],
    revisions: legacy,
    why: "there is no stream of its own, and it forgets the level"
  }
]

export const officialV2: ReadonlyArray<Server> = [
  onStdio("the official v2 server", "officialV2", both, ofV2),
  onHttp("the official v2 server", "officialV2", both, ofV2),
  onHttp("the official v2 server without sessions", "officialV2", both, withoutSessions, "stateless")
]

const ofEffect: ReadonlyArray<Lack> = [
  { features: ["pages"], why: "its lists have one page" },
  { features: ["a page that is done", "a page before the call"], why: "it has no such error" }
]

export const effectAi: ReadonlyArray<Server> = [
  onStdio("the server of effect/ai", "effectAi", both, ofEffect),
  onHttp("the server of effect/ai", "effectAi", both, [
    ...ofEffect,
    { features: ["changes of resources"], revisions: legacy, why: "over legacy HTTP it takes no subscriptions" }
  ])
]

const ofEverything: ReadonlyArray<Lack> = [
  { features: ["pages"], why: "its lists have one page" },
  { features: ["cancellation"], why: "none of its tools heeds it" },
  { features: ["a page that is done"], why: "it never tells" },
  { features: ["roots that change"], why: "it answers with those it knew before" },
  { features: ["a form"], revisions: ["2025-06-18"], why: "its form has a list in it, which came with 2025-11-25" }
]

export const reference: ReadonlyArray<Server> = [
  {
    name: "server-everything over stdio",
    words: everything,
    revisions: legacy,
    // it still waits for its own timers when its input has ended
    start: Effect.succeed(spawn({ ...everythingServer, graceMs: 200 })),
    lacks: ofEverything
  },
  {
    name: "server-everything over HTTP",
    words: everything,
    revisions: legacy,
    start: Effect.gen(function* () {
      const port = yield* freePort
      yield* served(everythingOverHttp, /listening on port/i, { PORT: String(port) })
      return connect(`http://127.0.0.1:${port}/mcp`)
    }),
    lacks: ofEverything
  },
  {
    name: "server-everything over HTTP+SSE",
    words: everything,
    revisions: legacy,
    start: Effect.gen(function* () {
      const port = yield* freePort
      yield* served(everythingOverSse, /running on port/i, { PORT: String(port) })
      return connectSse(`http://127.0.0.1:${port}/sse`)
    }),
    lacks: ofEverything
  }
]
