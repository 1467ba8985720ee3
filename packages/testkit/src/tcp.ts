/**
 * Faults for whatever speaks over TCP, on any runtime with `node:net`: a small server on loopback that stands between a
 * client and a server, and loses, delays, doubles, cuts, swallows and breaks what they say.
 */
import { createServer, connect as open, type Server, type Socket } from "node:net"
import { TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Strike, Way, Wire } from "./contract/Wire.ts"
import { seeded } from "./faults/seeded.ts"
import { type Blow, Link } from "./tcp/Link.ts"

/** How likely each fault is for a piece of bytes, from 0 to 1; it strikes the one connection. */
export interface TcpChances {
  readonly reset?: number | undefined
  readonly half?: number | undefined
  readonly drop?: number | undefined
  readonly delay?: number | undefined
  /** Of what comes back: a request whose bytes come twice is two. */
  readonly duplicate?: number | undefined
  readonly blackHole?: number | undefined
  /** The longest delay, in ms. Default 100. */
  readonly delayMs?: number | undefined
}

export interface TcpOptions {
  /** The port of the server on loopback; it is asked for each connection. */
  readonly port: () => number
  /** Ends the server with all that it does, and puts another in its place: what `crash` does, beside breaking all connections. */
  readonly crash?: Effect.Effect<void> | undefined
  /** Has the server forget its sessions: what `expire` does. */
  readonly expire?: Effect.Effect<void> | undefined
  /**
   * Whether what comes back is a stream of events, each in a piece of its own, as over HTTP+SSE: on the way back only they
   * are struck, and `drop` loses one alone. Default false.
   */
  readonly events?: boolean | undefined
  /** Where the chances start from: the n-th connection is given the same ones each time. Default 0. */
  readonly seed?: number | undefined
  readonly chances?: TcpChances | undefined
}

/** What stands between. `strike`, `heal` and `held` are those of a `TransportContract.Wire`. */
export interface TcpFaults extends Pick<Required<Wire>, "heal" | "held" | "strike"> {
  /** Where clients connect, on 127.0.0.1. */
  readonly port: number
  /** From now on chances strike nothing any more, nor do they strike what is open. */
  readonly calm: Effect.Effect<void>
  /** The seed and the last 1,000 faults that struck, one a line. */
  readonly report: () => string
}

const KEPT = 1000
const LATE = 200
const DATA = "data:"
const inOrder = ["reset", "half", "drop", "delay", "duplicate", "blackHole"] as const

const listen = (server: Server): Effect.Effect<number, TransportError> =>
  Effect.callback((resume) => {
    server.once("error", (cause) =>
      resume(Effect.fail(TransportError.make({ _tag: "Unreachable", what: "a port on loopback", cause }, "NotSent")))
    )
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(address === null || typeof address === "string" ? 0 : address.port))
    })
  })

/**
 * Listens on loopback until the scope closes, and leads each connection to the server. Bytes pass as they come, so that
 * a message is struck by its first piece: `half` cuts the body that follows an HTTP head, `drop` silences one direction of its
 * connection, `reset` and `blackHole` are for all connections, those by chance for one alone.
 */
export const proxy = Effect.fnUntraced(function* (
  options: TcpOptions
): Effect.fn.Return<TcpFaults, TransportError, Scope.Scope> {
  const { chances = {}, crash = Effect.void, events = false, expire = Effect.void, seed = 0 } = options
  const links = new Set<Link>()
  const luck = new WeakMap<Link, Record<Way, () => number>>()
  const armed: Record<Way, Array<Blow>> = { request: [], response: [] }
  const fired: Array<string> = []
  let [count, isHole, isCalm] = [0, false, false]
  let rising: Promise<unknown> = Promise.resolve()

  const byChance = (link: Link, way: Way): { readonly blow: Blow; readonly ms: number } | undefined => {
    const next = luck.get(link)?.[way]
    if (isCalm || next === undefined) return undefined
    // always two, so that one more chance does not change all that follows
    let left = next()
    const amount = next()
    for (const blow of inOrder) {
      const chance = blow === "duplicate" && way === "request" ? 0 : (chances[blow] ?? 0)
      if (left < chance) return { blow, ms: Math.ceil(amount * (chances.delayMs ?? 100)) }
      left -= chance
    }
    return undefined
  }
  const all = (blow: "reset" | "blackHole" | "crash"): void => {
    if (blow === "crash") rising = rising.then(() => Effect.runPromise(Effect.ignoreCause(crash)))
    if (blow === "blackHole") isHole = true
    for (const link of links) {
      if (blow === "blackHole") link.swallow()
      else link.reset()
    }
  }
  const accept = (client: Socket): void => {
    const link = new Link(++count, client, {
      all,
      isEvents: events,
      choose: (link, way, piece) => {
        if (events && way === "response" && !piece.includes(DATA)) return undefined
        const told = armed[way].shift()
        const chosen = told === undefined ? byChance(link, way) : { blow: told, ms: LATE }
        if (chosen === undefined) return undefined
        if (fired.push(`connection ${link.number}, ${way}: ${chosen.blow} (${chosen.ms} ms)`) > KEPT) fired.shift()
        return { ...chosen, isAll: told !== undefined }
      },
      onEnd: (link) => void links.delete(link)
    })
    links.add(link)
    luck.set(link, { request: seeded(seed + count), response: seeded(~(seed + count)) })
    if (isHole) return link.swallow()
    // a client that comes while the next server rises waits for it
    void rising.then(() => {
      const server = open({ host: "127.0.0.1", port: options.port(), allowHalfOpen: true })
      link.join(server)
    })
  }
  const server = createServer({ allowHalfOpen: true }, accept)
  const close = Effect.callback<void>((resume) => {
    for (const link of links) link.reset()
    server.close(() => resume(Effect.void))
  })
  const port = yield* Effect.acquireRelease(listen(server), (_port, _exit: Exit.Exit<unknown, unknown>) => close)
  return {
    port,
    strike: (strike: Strike, way: Way) =>
      strike === "expire" ? expire : Effect.sync(() => void armed[way].push(strike)),
    heal: Effect.sync(() => {
      isHole = false
      for (const link of links) link.reset()
    }),
    held: Effect.sync(() => [...links].filter(({ isLeft }) => !isLeft).length),
    calm: Effect.sync(() => {
      isCalm = true
    }),
    report: () => [`seed ${seed}, ${fired.length === 0 ? "no faults" : "faults:"}`, ...fired].join("\n  ")
  }
})
