import { Client, Tools } from "@effective-mcp/client"
import { Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { connect } from "../../src/client/index.ts"
import { serve } from "../../src/server/index.ts"

const server = Server.make({ name: "ours", version: "1" }, [
  Tool.make("add", {
    description: "Adds",
    input: { a: Schema.Finite, b: Schema.Finite },
    run: ({ a, b }) => Effect.succeed(`${a + b}`)
  })
])

describe("our client and our server over HTTP", () => {
  for (const era of ["modern", "legacy", "auto"] as const) {
    it.live(`come to terms, ${era}`, () =>
      Effect.gen(function* () {
        const { url } = yield* serve(server)
        const client = yield* Client.connect(connect(url), { name: "client", version: "1" }, { era })
        expect(client.era).toBe(era === "legacy" ? "legacy" : "modern")
        const { content } = yield* Tools.call(client, "add", { a: 1, b: 2 })
        expect(content).toEqual([{ type: "text", text: "3" }])
      })
    )
  }
})
