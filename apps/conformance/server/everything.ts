import { Changes, type Feature, Server } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as asking from "./asking/index.ts"
import { registering } from "./changing/registering.ts"
import { triggering } from "./changing/triggering.ts"
import { completable } from "./completion.ts"
import * as contents from "./contents/index.ts"
import { failing } from "./failing.ts"
import * as extra from "./extra/index.ts"
import { headers } from "./headers.ts"
import { jsonSchema } from "./jsonSchema.ts"
import { logging } from "./logging.ts"
import { erasOf, type Options } from "./options.ts"
import { progress } from "./progress.ts"
import { prompts } from "./prompts.ts"
import { reconnection } from "./reconnection.ts"
import { resources } from "./resources.ts"

const info = { name: "everything", version: "1.0.0" }

/** What never changes. The first tool takes no arguments: a suite that needs any tool takes that one. */
const fixed: ReadonlyArray<Feature> = [
  ...contents.tools,
  ...failing,
  ...progress,
  ...logging,
  ...asking.features,
  ...reconnection,
  ...jsonSchema,
  ...headers,
  ...extra.tools,
  ...resources,
  ...prompts,
  ...completable
]

/** A server that has all that the protocol has: one value, for stdio and for HTTP, for both eras. */
export const everything = Effect.fnUntraced(function* (options: Options) {
  const shared = { eras: erasOf(options), logging: true, instructions: "Call anything: nothing here matters." }
  if (options.listen === false) return Server.make(info, fixed, shared)
  const changes = Changes.make()
  const features = yield* SubscriptionRef.make(fixed)
  yield* SubscriptionRef.set(features, [...fixed, ...triggering(changes), ...registering(features)])
  return Server.make(info, features, { ...shared, changes })
})
