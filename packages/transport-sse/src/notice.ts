import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Whether the log has been told; by default all of a process shares it. */
export const Told: Context.Reference<{ isTold: boolean }> = Context.Reference<{ isTold: boolean }>(
  "@effective-mcp/transport-sse/notice/Told",
  { defaultValue: () => ({ isTold: false }) }
)

/**
 * Tells the log, once a process, that this transport is deprecated.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/deprecated
 */
export const notice: Effect.Effect<void> = Effect.withFiber((fiber) => {
  const told = fiber.getRef(Told)
  if (told.isTold) return Effect.void
  told.isTold = true
  return Effect.logInfo("The protocol has deprecated HTTP+SSE: serve and reach servers over Streamable HTTP")
})
