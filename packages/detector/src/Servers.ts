import { type Client, Group, type Session, type SessionLike } from "@effective-mcp/client"
import * as Effect from "effect/Effect"
import type { Failure } from "./ConnectTargetError.ts"

/** One server of a configuration that we are connected to. */
export interface Member {
  /** What the configuration calls it. */
  readonly name: string
  /** Begins the names of its tools and prompts: `key_name`, and of its resources: `key+uri`. */
  readonly key: string
  readonly client: Client.Client
}

/**
 * The servers of a configuration, as one client: lists are those of all, a call goes to the one whose key its name begins
 * with. `connect`, `reconnect`, `close` and `ping` reach all of them; `era`, `revision`, `server`, `connected` and
 * `instructions` say of all what they can: see each.
 *
 * @see Group.make
 */
export interface Servers extends Client.Client {
  /** Each of them, in the order of the configuration. */
  readonly servers: ReadonlyArray<Member>
  /** Those that could not be connected to; empty unless `partial` allows for some. */
  readonly failures: ReadonlyArray<Failure>
}

/** Whether a client is that of the servers of a configuration: a target that is a text does not say so to a compiler. */
export const isServers = (client: Client.Client): client is Servers => "servers" in client && "failures" in client

interface Part {
  readonly key: string
  readonly session: Session
}

const instructionsOf = (parts: ReadonlyArray<Part>): string | undefined => {
  const said = parts.flatMap(({ key, session }) =>
    session.instructions === undefined ? [] : [`${key}: ${session.instructions}`]
  )
  return said.length === 0 ? undefined : said.join("\n\n")
}

const grouped = (parts: ReadonlyArray<{ readonly key: string; readonly session: SessionLike }>) =>
  Group.make(Object.fromEntries(parts.map(({ key, session }) => [key, session])))

const each = <A, E>(parts: ReadonlyArray<A>, run: (part: A) => Effect.Effect<unknown, E>): Effect.Effect<void, E> =>
  Effect.forEach(parts, run, { concurrency: "unbounded", discard: true })

/** Sessions of several servers as one. What only one server can say is said by the first. */
const sessionOf = (parts: ReadonlyArray<Part>): Session => {
  const { capabilities, hub, request, watch } = grouped(parts)
  const { session: first } = parts[0]! // there is one at least
  return {
    era: first.era,
    revision: first.revision,
    server: parts.length === 1 ? first.server : undefined,
    capabilities,
    instructions: instructionsOf(parts),
    request,
    watch,
    hub,
    ping: (options) => each(parts, ({ session }) => session.ping(options)),
    answer: first.answer
  }
}

/** One client of one or more servers, each under its key. */
export const serversOf = (servers: ReadonlyArray<Member>, failures: ReadonlyArray<Failure>): Servers => {
  const clients = servers.map(({ client }) => client)
  const parts = servers.map(({ client, key }) => ({ key, session: client }))
  const [first] = clients as [Client.Client] // cast: there is one at least
  const group = grouped(parts)
  const keyed = (uri: string) => {
    const at = uri.indexOf("+")
    return { client: servers.find(({ key }) => key === uri.slice(0, at))?.client, uri: uri.slice(at + 1) }
  }
  return {
    servers,
    failures,
    get era() {
      return first.era
    },
    get revision() {
      return first.revision
    },
    get server() {
      return clients.length === 1 ? first.server : undefined
    },
    get capabilities() {
      return group.capabilities
    },
    get instructions() {
      return instructionsOf(parts)
    },
    get connected() {
      return clients.every(({ connected }) => connected)
    },
    get session() {
      return sessionOf(servers.map(({ client, key }) => ({ key, session: client.session })))
    },
    request: group.request,
    watch: group.watch,
    hub: group.hub,
    ping: (options) => each(clients, (client) => client.ping(options)),
    answer: (question) => first.answer(question),
    connect: each(clients, ({ connect }) => connect),
    reconnect: each(clients, ({ reconnect }) => reconnect),
    close: each(clients, ({ close }) => close),
    cache: {
      invalidate: (kind, uri) => {
        if (uri === undefined) return each(clients, ({ cache }) => cache.invalidate(kind))
        const of = keyed(uri)
        return of.client === undefined ? Effect.void : of.client.cache.invalidate(kind, of.uri)
      },
      info: (kind, uri, meta) => {
        if (uri === undefined)
          return clients.length === 1 ? first.cache.info(kind, uri, meta) : Effect.succeed(undefined)
        const of = keyed(uri)
        return of.client === undefined ? Effect.succeed(undefined) : of.client.cache.info(kind, of.uri, meta)
      }
    }
  }
}
