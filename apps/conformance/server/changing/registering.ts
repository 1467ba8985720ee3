import { type Feature, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SubscriptionRef from "effect/SubscriptionRef"

type Features = ReadonlyArray<Feature>

/** How many tools may be added. */
const MOST = 10_000
const PREFIX = "registered_"

const n = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MOST }))

const made = (at: number) =>
  Tool.make(`${PREFIX}${at}`, { description: `Tool number ${at}`, run: () => Effect.succeed(`${at}`) })

const isMade = ({ kind, name }: { readonly kind: string; readonly name?: string }): boolean =>
  kind === "tool" && name !== undefined && name.startsWith(PREFIX)

const grown = (features: Features, n: number): Features => {
  const count = features.filter(isMade).length
  return [...features, ...Array.from({ length: Math.min(n, MOST - count) }, (_, at) => made(count + at))]
}

const shrunk = (features: Features, n: number): Features => {
  const left = features.filter(isMade).slice(0, -n || undefined)
  return [...features.filter((feature) => !isMade(feature)), ...left]
}

/** Tools that add tools and take them away: clients that listen hear once of all of them. */
export const registering = (features: SubscriptionRef.SubscriptionRef<Features>) => [
  Tool.make("register", {
    description: "Adds some tools",
    input: { n },
    run: ({ n }) =>
      Effect.as(
        SubscriptionRef.update(features, (now) => grown(now, n)),
        `added ${n}`
      )
  }),
  Tool.make("unregister", {
    description: "Takes away the tools that were added last",
    input: { n },
    run: ({ n }) =>
      Effect.as(
        SubscriptionRef.update(features, (now) => shrunk(now, n)),
        `took away ${n}`
      )
  })
]
