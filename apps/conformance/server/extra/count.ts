import { Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Keys that are kept; the oldest goes first. */
const MOST = 10_000

const counts = new Map<string, number>()

/** Says how often it ran, so that whoever calls it knows of each call that was made twice. */
export const count = Tool.make("count", {
  description: "Says how often it ran with a key in this process",
  input: { key: Schema.String.check(Schema.isMaxLength(256)) },
  run: ({ key }) =>
    Effect.sync(() => {
      const now = (counts.get(key) ?? 0) + 1
      counts.delete(key)
      counts.set(key, now)
      for (const oldest of counts.keys()) {
        if (counts.size <= MOST) break
        counts.delete(oldest)
      }
      return `${now}`
    })
})
