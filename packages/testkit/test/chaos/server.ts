import type { JsonRpc } from "@effective-mcp/protocol"
import { Call, Server, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const identity = { name: "chaos", version: "1.0.0" }

/** A server whose tool tells of each run by its key and its request's id, works for a moment, says so to who asks, and gives the key back. */
export const counting = (onRun: (key: string, id: JsonRpc.RequestId) => void) =>
  Server.make(identity, [
    Tool.make("count", {
      input: { key: Schema.String },
      run: Effect.fnUntraced(function* ({ key }) {
        const { progress, request } = yield* Call
        onRun(key, request.id)
        yield* progress(1)
        yield* Effect.sleep(key.length % 4)
        return key
      })
    })
  ])
