/**
 * Connecting to anything, for people without Effect: it gives back a promise of the client of
 * `@effective-mcp/client/promise`, and rejects with the same typed errors.
 */
import {
  type Awaitable,
  type Client,
  open,
  type Options as ClientOptions,
  toClient
} from "@effective-mcp/client/promise"
import type { TransportError } from "@effective-mcp/protocol"
import { type Crash, Restart as BaseRestart } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import { connect as connectTarget } from "./connect.ts"
import type { Options as Base, ServerOptions as BaseServer, Supervision as BaseSupervision } from "./ConnectOptions.ts"
import type { Failure } from "./ConnectTargetError.ts"
import { isServers, type Member } from "./Servers.ts"
import type { IsConfig, Legal, Target } from "./Target.ts"

export { type Client, text } from "@effective-mcp/client/promise"
export { ConnectTargetError, type Failure, type Reason, type Step } from "./ConnectTargetError.ts"
export type { Argv, CommandEntry, Config, Entry, Target, UrlEntry } from "./Target.ts"

/** What there is to say of a program that is supervised, beside `restart`. */
export interface Supervision extends Omit<BaseSupervision, "onCrash"> {
  /** Hears of each crash before requests fail, for 250 ms at the most. */
  readonly onCrash?: ((crash: Crash) => Awaitable<void>) | undefined
}

export interface EagerOptions {
  /** Hears, once, that no restart is tried any more, and what the last one failed with. */
  readonly onGone?: ((error: TransportError) => Awaitable<void>) | undefined
}

/** How one server is connected to. */
export interface ServerOptions extends Omit<BaseServer, "client" | "supervise"> {
  readonly supervise?: Supervision | undefined
  /** All else of the client: answers, deadlines, cache, retry. */
  readonly client?: Omit<ClientOptions, "era" | "revision" | "signal"> | undefined
}

export interface Options extends Omit<Base, "client" | "servers" | "supervise"> {
  readonly supervise?: Supervision | undefined
  /** All else of the client: answers, deadlines, cache, retry. */
  readonly client?: ServerOptions["client"]
  /** What is different for single servers of a configuration, by their names in it. */
  readonly servers?: { readonly [name: string]: ServerOptions } | undefined
  /** Gives up connecting. */
  readonly signal?: AbortSignal | undefined
}

/** The servers of a configuration, as one client. */
export interface Servers extends Client {
  /** What the configuration calls each of them, and what begins the names of its tools. */
  readonly servers: ReadonlyArray<Pick<Member, "name" | "key">>
  /** Those that could not be connected to; empty unless `partial` allows for some. */
  readonly failures: ReadonlyArray<Failure>
}

/** What comes of a target: the servers of a configuration where it is one, else a client. */
export type Connected<T> = IsConfig<T> extends true ? Servers : Client

/** What a listener throws, or rejects with, is told by who calls it. */
const hearing =
  <A>(hear: (said: A) => Awaitable<void>) =>
  (said: A): Effect.Effect<void> =>
    Effect.promise(async () => hear(said))

/** When a program that has ended is started again: `lazy` when something is asked of it, `eager` at once. */
export type Restart = BaseRestart
export const Restart = {
  lazy: BaseRestart.lazy,
  eager: (maxRetries: number, { onGone }: EagerOptions = {}): Restart =>
    BaseRestart.eager(maxRetries, { onGone: onGone && hearing(onGone) })
} as const

const toSupervision = ({ onCrash, ...options }: Supervision): BaseSupervision => ({
  ...options,
  ...(onCrash && { onCrash: hearing(onCrash) })
})

const toServer = ({ client, supervise, ...options }: ServerOptions): BaseServer => ({
  ...options,
  ...(client && { client: toClient(client) }),
  ...(supervise && { supervise: toSupervision(supervise) })
})

/**
 * Connects to whatever a target names. `await using` closes it.
 *
 * ```ts no-run: it needs a server of its own
 * import { connect } from "@effective-mcp/detector/promise"
 *
 * await using client = await connect("https://example.com/mcp")
 * for await (const { name } of client.tools()) console.log(name)
 * ```
 *
 * @see Target
 */
export const connect = async <const T extends Target>(
  target: T & Legal<T>,
  { client, servers, signal, supervise, ...options }: Options = {}
): Promise<Connected<T>> => {
  const own = Object.entries(servers ?? {}).map(([name, server]) => [name, toServer(server)] as const)
  const connecting = connectTarget<T, never>(target, {
    ...options,
    ...toServer({ client, supervise }),
    ...(servers && { servers: Object.fromEntries(own) })
  })
  const opened = await open(connecting, signal)
  const { effect } = opened
  const told = isServers(effect)
    ? { servers: effect.servers.map(({ key, name }) => ({ key, name })), failures: effect.failures }
    : {}
  return Object.assign(opened, told) as unknown as Connected<T> // cast: configurations give `Servers`
}
