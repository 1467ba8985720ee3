import { limits, type LoggingLevel } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Logger from "effect/Logger"
import type { CallService } from "./Call.ts"

const LEVELS: { readonly [level: string]: LoggingLevel } = {
  Fatal: "critical",
  Error: "error",
  Warn: "warning",
  Info: "info",
  Debug: "debug",
  Trace: "debug"
}

/** A message as JSON: texts and what JSON can hold as they are, anything else as a text. */
const toData = (message: unknown): unknown => {
  const parts = Array.isArray(message) ? message : [message]
  const said = parts.map((part) => (part instanceof Error ? part.message : part))
  return said.length === 1 ? said[0] : said.every((part) => typeof part === "string") ? said.join(" ") : said
}

let loaded: typeof Logger | undefined

/** With it come streams and files: it is loaded once somebody logs this way, so that other servers start sooner. */
const load = Effect.suspend(() =>
  loaded === undefined
    ? Effect.map(
        Effect.promise(() => import("effect/Logger")),
        (module) => (loaded = module)
      )
    : Effect.succeed(loaded)
)

/**
 * Sends what a handler logs through Effect to its caller, too, in order: its message and level. Causes, annotations and
 * spans stay here. What a caller that does not read leaves waiting is bounded, and the rest is left out.
 */
export const withEffectLogs = <A, E, R>(
  { log }: Pick<CallService, "log">,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const waiting: Array<Effect.Effect<void>> = []
    let isSaying = false
    const say: Effect.Effect<void> = Effect.suspend(() => {
      const next = waiting.shift()
      isSaying = next !== undefined
      // one that cannot be written keeps back no other
      return next === undefined
        ? Effect.void
        : Effect.flatMap(
            Effect.catchCause(next, () => Effect.void),
            () => say
          )
    })
    const run = Effect.runForkWith(fiber.context)
    const hear = ({ logLevel, message }: Logger.Options<unknown>): void => {
      const level = LEVELS[logLevel]
      if (level === undefined || waiting.length >= limits.logs) return
      waiting.push(log(level, toData(message)))
      if (isSaying) return
      isSaying = true
      run(say)
    }
    return Effect.flatMap(load, ({ make }) => Effect.withLogger(effect, make(hear)))
  })
