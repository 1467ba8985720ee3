import { Client } from "@effective-mcp/client"
import { detect } from "@effective-mcp/detector"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { real } from "../corpus/real.ts"

describe("a real server is found out, over the network", () => {
  for (const [name, start] of Object.entries(real)) {
    const is = name.endsWith("-sse") ? "sse" : "streamable-http"
    it.live(`${is === "sse" ? "T-62" : "T-61"} ${name}: ${is}`, () =>
      Effect.gen(function* () {
        const { kind, transport } = yield* detect(yield* start)
        expect(kind).toBe(is)
        const client = yield* Client.connect(transport, { name: "me", version: "1.0.0" })
        expect(client.era).toBe(/modern|v2|both|ours-stateless/.test(name) ? "modern" : "legacy")
      })
    )
  }
})
