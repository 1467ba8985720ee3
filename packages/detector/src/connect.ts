import { Client } from "@effective-mcp/client"
import { limits } from "@effective-mcp/protocol"
import { requireCounts } from "@effective-mcp/protocol/Limits"
import { supervise } from "@effective-mcp/transport-stdio"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Options } from "./ConnectOptions.ts"
import type { ConnectTargetError, Reason } from "./ConnectTargetError.ts"
import { clientOptions, connectHost, connectServer } from "./connectServer.ts"
import { connectServers, warnUnknown } from "./connectServers.ts"
import type { Variables } from "./config/expand.ts"
import { info as ourselves } from "./info.ts"
import * as Ladder from "./Ladder.ts"
import { monotonicMs } from "./monotonicMs.ts"
import { owned } from "./owned.ts"
import { type Plan, readTarget } from "./readTarget.ts"
import { secretsIn } from "./secretsIn.ts"
import { situationOf } from "./Situation.ts"
import type { Servers } from "./Servers.ts"
import { overHttp } from "./transports.ts"
import type { IsConfig, Legal, Target } from "./Target.ts"

/** What comes of a target: the servers of a configuration where it is one, else a client. */
export type Connected<T> = IsConfig<T> extends true ? Servers : Client.Client

/** What is no text is no variable: names such as `constructor` are those of every object. */
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const environment = (name: string): string | undefined => {
  try {
    return textOf(process.env[name])
  } catch {
    // a runtime that does not let us look
    return undefined
  }
}

const variablesOf =
  ({ variables = {} }: Options<unknown>): Variables =>
  (name) =>
    Object.hasOwn(variables, name) ? textOf(variables[name]) : environment(name)

const totalMsOf = ({ totalTimeout = limits.connectMs }: Options<unknown>): number => {
  const ms = Option.getOrUndefined(Option.map(Duration.fromInput(totalTimeout), Duration.toMillis))
  if (ms === undefined || !(ms > 0)) throw new Error("totalTimeout is not a length of time")
  return ms
}

/** Refuses options that mean nothing before anything is begun: a mistake of the author, it throws. */
const requireOptions = (options: Options<unknown>): number => {
  const { concurrency = limits.connectServers, info = ourselves, servers = {} } = options
  requireCounts({ concurrency })
  for (const own of [options, ...Object.values(servers)]) {
    Client.connect(Effect.never, info, clientOptions(own))
    supervise({ command: "" }, own.supervise)
    overHttp("streamable-http", "http://localhost", { limits: own.limits })
  }
  return totalMsOf(options)
}

type Connecting<RM> = Effect.Effect<Client.Client, ConnectTargetError, RM | Scope.Scope>

/** Follows a plan; the servers of a configuration keep the time each by itself, and tell which of them had none left. */
const follow = <RM>(plan: Plan, options: Options<RM>, totalMs: number, deadline: number): Connecting<RM> => {
  const secrets = secretsIn(options)
  const within = (ladder: Ladder.Ladder, connecting: Connecting<RM>): Connecting<RM> =>
    Effect.timeoutOrElse(connecting, {
      duration: totalMs,
      orElse: () => Effect.fail(ladder.fail({ _tag: "Silent", afterMs: totalMs }))
    })
  switch (plan._tag) {
    case "Host": {
      const ladder = Ladder.make("the server in this process", secrets)
      return within(ladder, connectHost(plan.host, options, ladder))
    }
    case "Server": {
      const { server, shown } = plan
      const ladder = Ladder.make(shown, [...server.secrets, ...secrets], situationOf(server, options))
      const connecting = connectServer(server, options, ladder)
      return Effect.andThen(warnUnknown([{ name: "the entry", read: server }]), within(ladder, connecting))
    }
    case "Config":
      return connectServers(plan.config, variablesOf(options), options, Ladder.make(plan.shown, secrets), deadline)
  }
}

/**
 * Connects to whatever a target names: finds out what is there, comes to terms with it, and gives back a client whose life
 * is the scope's. On failure nothing is left; the error tells what was tried, what came of it, and what to do.
 *
 * ```ts
 * import { connect } from "@effective-mcp/detector"
 *
 * export const files = connect("npx -y @modelcontextprotocol/server-filesystem /tmp")
 * export const search = connect("https://example.com/mcp", { apiKey: "…" })
 * export const all = connect({ mcpServers: { files: { command: "npx", args: ["-y", "files"] } } })
 * ```
 *
 * @see Target
 */
export const connect = <const T extends Target, RM = never>(
  target: T & Legal<T>,
  options: Options<RM> = {}
): Effect.Effect<Connected<T>, ConnectTargetError, RM | Scope.Scope> => {
  const totalMs = requireOptions(options)
  const connecting = Effect.gen(function* () {
    const begun = yield* monotonicMs
    const refuse = (reason: Reason) => Ladder.make("the target", secretsIn(options)).fail(reason)
    const plan = Effect.mapError(readTarget(target, variablesOf(options)), refuse)
    return yield* owned(Effect.flatMap(plan, (read) => follow(read, options, totalMs, begun + totalMs)))
  })
  return connecting as Effect.Effect<Connected<T>, ConnectTargetError, RM | Scope.Scope> // cast: configurations give `Servers`
}

/** Provides `Client.Current`: connects when it is built, and closes with its scope. */
export const layer = <const T extends Target, RM = never>(
  target: T & Legal<T>,
  options: Options<RM> = {}
): Layer.Layer<Client.Current, ConnectTargetError, Exclude<RM, Scope.Scope>> =>
  Layer.effect(Client.Current, connect<T, RM>(target, options))
