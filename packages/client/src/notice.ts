import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** What is deprecated, with what takes its place. */
const instead = {
  roots: "name files and directories in the arguments of tools or the URIs of resources",
  sampling: "have the server call a model itself",
  includeContext: "leave it out",
  logging: "write to standard error, or use OpenTelemetry"
} as const

/** What the newest revision knows, and one after it may not. */
export type Deprecated = keyof typeof instead

/** What has been told of; by default all of a process shares it. */
export const Told: Context.Reference<Set<Deprecated>> = Context.Reference<Set<Deprecated>>(
  "@effective-mcp/client/notice/Told",
  { defaultValue: () => new Set() }
)

/**
 * Tells the log of what is deprecated: of each feature once a process.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/deprecated
 */
export const notice = (features: ReadonlyArray<Deprecated>): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const told = fiber.getRef(Told)
    const fresh = features.filter((feature) => !told.has(feature))
    for (const feature of fresh) told.add(feature)
    return Effect.forEach(
      fresh,
      (feature) => Effect.logInfo(`The protocol has deprecated ${feature}: ${instead[feature]}`),
      { discard: true }
    )
  })
