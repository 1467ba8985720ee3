import { Server, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const identity = { name: "chaos", version: "1.0.0" }

/** A server whose tool tells of each run by its key, works for a moment, and gives the key back. */
export const counting = (onRun: (key: string) => void) =>
  Server.make(identity, [
    Tool.make("count", {
      input: { key: Schema.String },
      run: ({ key }) =>
        Effect.suspend(() => {
          onRun(key)
          return Effect.as(Effect.sleep(key.length % 4), key)
        })
    })
  ])
