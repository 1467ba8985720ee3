import { Client, Tools } from "@effective-mcp/client"
import { spawn } from "@effective-mcp/transport-stdio"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { lean } from "./support/lean.ts"

describe("a server that says more in a line than is read", () => {
  it.live("is started again for what is asked in the very turn in which its call failed", () =>
    Effect.gen(function* () {
      const overlong = `*'"tools/call"'*) head -c 8192 /dev/zero | tr '\\0' 'x'; echo;;`
      const server = spawn({ ...lean({ cases: overlong }), messageBytes: 4_096, graceMs: 200 })
      const client = yield* Client.connect(
        server,
        { name: "test", version: "1.0.0" },
        { era: "legacy", recover: { uptime: 0 } }
      )
      const failed = Effect.flip(Tools.call(client, "add"))
      const [error, list] = yield* Effect.flatMap(failed, (error) =>
        Effect.map(Tools.list(client), (list) => [error, list] as const)
      )
      expect(error).toMatchObject({ reason: { _tag: "TooLarge", limit: 4_096 }, outcome: "Unknown" })
      expect(list.tools).toEqual([])
    })
  )
})
