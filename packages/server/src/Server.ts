import type { Era, Host, Implementation, ServerCapabilities } from "@effective-mcp/protocol"
import { limits } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as SubscriptionRef from "effect/SubscriptionRef"
import { patienceOf } from "./ask/patience.ts"
import type { Call } from "./Call.ts"
import type { Changes } from "./Changes.ts"
import * as Hub from "./changes/Hub.ts"
import { changesOf, type FeaturesRef } from "./changing.ts"
import type { Core, Offer, Visible } from "./Core.ts"
import { host } from "./era/host.ts"
import type { Feature, Needs } from "./Feature.ts"
import { type Caching, hintsBy } from "./hints.ts"
import type { Middleware } from "./Middleware.ts"
import { lastOf, offerOf } from "./offer.ts"

/** A server as a value: transports serve it. `R` is what its features need. */
export interface Server<out R = never> extends Host<R> {
  readonly info: Implementation
  /** What it offers now. */
  readonly capabilities: ServerCapabilities
  /**
   * Ends every open subscription of the modern era in good order, with its result, over whatever it came: what to do
   * before the process leaves. An HTTP endpoint that closes does so for its own.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#graceful-closure
   */
  readonly endSubscriptions: Effect.Effect<void>
}

export interface Options<RM = never, RV = never> {
  /** How to use the server, for the model. */
  readonly instructions?: string | undefined
  /** The eras it speaks. Default both. */
  readonly eras?: readonly [Era, ...ReadonlyArray<Era>] | undefined
  /** How many entries a page of a list holds. Default 1,000. */
  readonly pageSize?: number | undefined
  /** What goes on around every operation, the outermost first. */
  readonly middleware?: ReadonlyArray<Middleware<RM>> | undefined
  /**
   * Which features the caller of a request may see, worked out once a request. The rest is as if it were not there: in
   * lists, in calls, in completion and in subscriptions. It may ask for the `Call`, and for what else is known of the
   * caller.
   */
  readonly visible?: Visible<RV | Call> | undefined
  /** How long results may be kept, and by whom. Default not at all. */
  readonly cache?: Caching | undefined
  /** Where its changes are published. With it clients may subscribe to resources, and hear of lists that change. */
  readonly changes?: Changes | undefined
  /**
   * How long a question to a legacy client may stay open, in ms, at most a day; a client of a newer revision takes the
   * time that it likes. Default 600,000.
   */
  readonly questionMs?: number | undefined
  /** How often one call may end with questions, at most 100 times. Default 10. */
  readonly inputRounds?: number | undefined
  /** The same for a handler that ends with questions itself and a legacy client, which is asked for it. Default 8. */
  readonly legacyInputRounds?: number | undefined
  /** Whether clients may ask for logs; with `effect` they also get what handlers log through Effect. Default no. */
  readonly logging?: boolean | { readonly effect: boolean } | undefined
}

type Features = ReadonlyArray<Feature<unknown>>

/** What a changing set makes at any time. It is looked at anew only when it has changed. */
const following = (
  ref: SubscriptionRef.SubscriptionRef<Features>,
  make: (features: Features) => Offer<unknown>
): (() => Offer<unknown>) => {
  let features: Features | undefined
  let offer: Offer<unknown> | undefined
  return () => {
    const now = ref.value
    if (offer === undefined || now !== features) {
      offer = make(lastOf(now))
      features = now
    }
    return offer
  }
}

/**
 * Makes a server of its features: a list of them, or a `SubscriptionRef` of one that changes while the server runs. Two
 * features of one kind that have the same name are a mistake of the author, and so is an option that makes no sense: it
 * throws. In a changing set the last of one name counts.
 *
 * @param info who the server says it is, to every client
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server
 */
export const make = <const F extends ReadonlyArray<Feature<unknown>>, RM = never, RV = never>(
  info: Implementation,
  features: F | FeaturesRef<F>,
  options: Options<RM, RV> = {}
): Server<Needs<F[number]> | Exclude<RM | RV, Call>> => {
  const { changes, eras = ["modern", "legacy"], instructions, logging = false, pageSize = limits.pageSize } = options
  if (!Number.isSafeInteger(pageSize) || pageSize < 1) throw new Error(`pageSize is not a count: ${pageSize}`)
  // cast: it is only read; what is no list is one, so that servers without one need not load its module
  const ref = Array.isArray(features) ? undefined : (features as unknown as SubscriptionRef.SubscriptionRef<Features>)
  const visible = options.visible as Visible<unknown> | undefined // cast: what it needs is in the type
  const hintsOf = hintsBy(options.cache ?? {}, visible !== undefined)
  const changing = {
    lists: ref !== undefined || changes !== undefined,
    resources: changes !== undefined,
    kinds: ref !== undefined
  }
  const build = (features: Features): Offer<unknown> => {
    const offer = offerOf(features, { pageSize, visible, hintsOf }, changing)
    return logging === false ? offer : { ...offer, capabilities: { ...offer.capabilities, logging: {} } }
  }
  const fixed = ref === undefined ? build(features as Features) : undefined // cast: it is no ref
  const offer = ref === undefined ? () => fixed! : following(ref, build)
  offer()
  const sources = [
    ...(ref === undefined ? [] : [changesOf(ref)]),
    ...(changes === undefined ? [] : [changes.subscribe])
  ]
  const hub = sources.length === 0 ? undefined : Hub.make(sources)
  const core: Core<unknown> = {
    info,
    instructions,
    eras,
    hintsOf,
    middleware: (options.middleware ?? []) as ReadonlyArray<Middleware<unknown>>, // cast: what they need is in the type
    logging: logging === false ? undefined : { effect: typeof logging === "object" && logging.effect },
    hub,
    patience: patienceOf(options),
    get capabilities() {
      return offer().capabilities
    },
    get operations() {
      return offer().operations
    },
    get methods() {
      return offer().methods
    },
    readable: (uris) => offer().readable(uris)
  }
  const server = {
    ...host(core),
    info,
    endSubscriptions: hub?.end ?? Effect.void,
    get capabilities() {
      return core.capabilities
    }
  }
  return server as Server<Needs<F[number]> | Exclude<RM | RV, Call>> // cast: the union of what its features and options need
}
