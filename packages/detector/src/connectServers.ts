import { limits, quote } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Options } from "./ConnectOptions.ts"
import type { ConnectTargetError, Failure } from "./ConnectTargetError.ts"
import type { Variables } from "./config/expand.ts"
import { keysOf } from "./config/keys.ts"
import { read, theseInstead } from "./config/read.ts"
import type { Named, Server } from "./config/Server.ts"
import { connectServer } from "./connectServer.ts"
import { monotonicMs } from "./monotonicMs.ts"
import * as Ladder from "./Ladder.ts"
import { situationOf } from "./Situation.ts"
import { secretsIn } from "./secretsIn.ts"
import { type Member, type Servers, serversOf } from "./Servers.ts"

const SHOWN = 10

/** Tells of what a configuration says and nobody here acts on: a server may lack what it meant to give. */
export const warnUnknown = (named: ReadonlyArray<Named>): Effect.Effect<void> => {
  const unknown = named.flatMap(({ name, read: server }) =>
    "place" in server ? server.unknown.map((member) => `${quote(name)}.${quote(member)}`) : []
  )
  if (unknown.length === 0) return Effect.void
  const more = unknown.length > SHOWN ? `, and ${unknown.length - SHOWN} more` : ""
  return Effect.logWarning(`Members of a configuration mean nothing here: ${unknown.slice(0, SHOWN).join(", ")}${more}`)
}

const isMember = (outcome: Member | Failure): outcome is Member => "client" in outcome
const isFailure = (outcome: Member | Failure): outcome is Failure => !isMember(outcome)

/** Options of all servers, with those of one laid over them. */
const optionsOf = <RM>(options: Options<RM>, name: string): Options<RM> => {
  const own = options.servers !== undefined && Object.hasOwn(options.servers, name) ? options.servers[name] : undefined
  return { ...options, ...own }
}

/**
 * Connects to the servers of a configuration, several at once. One that fails hides no other: all are tried, and the error
 * tells of each.
 *
 * @param deadline when all of it has to have ended, by the clock
 */
export const connectServers = <RM>(
  config: unknown,
  variables: Variables,
  options: Options<RM>,
  ladder: Ladder.Ladder,
  deadline: number
): Effect.Effect<Servers, ConnectTargetError, RM | Scope.Scope> => {
  const { concurrency = limits.connectServers, partial = false, server: only, servers = {} } = options
  const named = read(config, variables, only)
  if ("_tag" in named) return Effect.fail(ladder.fail(named))
  const fail = (at: string, detail: string, advice: string) =>
    Effect.fail(ladder.fail({ _tag: "BadConfig", at, detail, advice }))
  const stranger = Object.keys(servers).find((name) => !named.some((one) => one.name === name))
  if (stranger !== undefined && only === undefined)
    return fail(
      `servers.${quote(stranger)}`,
      "is no server of the configuration",
      theseInstead(named.map(({ name }) => name))
    )
  if (named.length > 1 && (options.headers !== undefined || options.apiKey !== undefined)) {
    return fail(
      "the configuration",
      "has several servers, which share no headers or key",
      "Give them in servers, by name; or name the one server that is wanted as server."
    )
  }
  const keys = keysOf(named.map(({ name }) => name))
  const one = (
    { name, read: server }: Named,
    index: number
  ): Effect.Effect<Member | Failure, never, RM | Scope.Scope> => {
    if ("_tag" in server) return Effect.succeed({ name, error: Ladder.make(quote(name)).fail(server) })
    return connectOne(server, name, optionsOf(options, name)).pipe(
      Effect.match({
        onFailure: (error): Member | Failure => ({ name, error }),
        onSuccess: (client): Member | Failure => ({ name, key: keys[index]!, client })
      })
    )
  }
  const connectOne = (server: Server, name: string, given: Options<RM>) => {
    const own = Ladder.make(quote(name), [...server.secrets, ...secretsIn(given)], situationOf(server, given))
    return Effect.flatMap(monotonicMs, (now) => {
      const left = Math.max(0, Math.ceil(deadline - now))
      return Effect.timeoutOrElse(connectServer(server, given, own), {
        duration: left,
        orElse: () => Effect.fail(own.fail({ _tag: "Silent", afterMs: left }))
      })
    })
  }
  return Effect.gen(function* () {
    yield* warnUnknown(named)
    const outcomes = yield* Effect.forEach(named, one, { concurrency })
    const made = outcomes.filter(isMember)
    const failures = outcomes.filter(isFailure)
    if (failures.length > 0 && (!partial || made.length === 0)) {
      return yield* only === undefined
        ? Effect.fail(ladder.fail({ _tag: "ServersFailed", failures, of: named.length }))
        : Effect.fail(failures[0]!.error)
    }
    if (failures.length > 0) {
      yield* Effect.logWarning(
        `Servers that are left out: ${failures
          .slice(0, SHOWN)
          .map(({ error }) => error.message)
          .join("\n")}`
      )
    }
    const [first] = made
    return only !== undefined && first !== undefined
      ? Object.assign(first.client, { servers: made, failures })
      : serversOf(made, failures)
  })
}
