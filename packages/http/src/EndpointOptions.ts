import type { Principal, PrincipalService } from "@effective-mcp/protocol/Principal"
import type * as Guard from "./Guard.ts"
import type { HttpCall } from "./HttpCall.ts"
import type * as Ownership from "./Ownership.ts"
import type { Verify } from "./Unverified.ts"

/** Who calls, where that is asked. */
export type Verified<P extends PrincipalService> = [P] extends [never] ? never : Principal

/** What the wire gives to handlers: its own side of a call and, where callers are verified, who calls. */
export type Given<P extends PrincipalService> = HttpCall | Verified<P>

/** What a server needs that the wire does not give; `RH` is what it takes to make one. */
export type Wanting<R, P extends PrincipalService, RH> = Exclude<R, Given<P>> | Exclude<RH, Verified<P>>

/** What every endpoint of ours may be told. `P` is what is known of callers; `never` where nobody asks. */
export interface EndpointOptions<P extends PrincipalService = never> {
  /**
   * Hosts that may be asked for, and origins that may ask: anything else is 403. `false` where something in front has
   * looked already. Default: loopback names, and no origin but the host's own.
   */
  readonly guard?: Guard.Options | false | undefined
  /** Web origins whose pages may call and read the answers. They pass the guard as well. Default none. */
  readonly cors?: { readonly origins: ReadonlyArray<string>; readonly maxAge?: number | undefined } | undefined
  /**
   * Says who sends a request, or turns it away. Handlers, middleware and visibility then find the `Principal` among their
   * services, and a session belongs to the one that opened it: anyone else gets 403.
   */
  readonly principal?: Verify<P> | undefined
  /** Bytes of one message: a body, as it comes and expanded. Default 4 MiB. */
  readonly messageBytes?: number | undefined
  /**
   * Bytes of all bodies that come at once, those of up to 64 KiB left out; what goes over it is refused with 503. Default
   * 64 MiB.
   */
  readonly bodiesBytes?: number | undefined
  /** Levels of nesting in one body. Default 64. */
  readonly depth?: number | undefined
  /** Whether bodies may be compressed. Default false. */
  readonly compressed?: boolean | undefined
  /** How long a stream stays silent, in ms; `Infinity` for ever. Default 15,000. */
  readonly keepAliveMs?: number | undefined
  /**
   * How long a reader may take nothing of a stream that more waits for, in ms, at the most: half of it is always let pass,
   * then its connection is closed. `Infinity` for ever. Default 120,000.
   */
  readonly stallMs?: number | undefined
  /** How long handlers in flight may go on when the endpoint closes, in ms. Default 2,000. */
  readonly drainMs?: number | undefined
}

/** What every kind of session is bounded by. */
export interface SessionBounds extends Ownership.Options {
  /** How many there may be; one more is refused with 503. `Infinity` for no bound. Default 10,000. */
  readonly most?: number | undefined
  /** How long one may idle, in ms; `Infinity` for ever. Default 1,800,000. */
  readonly idleMs?: number | undefined
  /** How often the idle ones are looked for, in ms. Default 60,000. */
  readonly reaperMs?: number | undefined
}
