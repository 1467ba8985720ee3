import { Tools } from "@effective-mcp/client"
import { legacyRevisions, modernRevisions } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { connect, discovered, initialized, legacy, modern, result, scripted } from "./scripted.ts"

const tool = { name: "add", inputSchema: { type: "object" } }
const script = {
  "tools/list": result({ tools: [tool] }),
  "tools/call": result({ content: [{ type: "text", text: "3" }], "x-vendor": 1 })
}

/** A server that answers in one revision. */
const servers = [
  ...modernRevisions.map(
    ({ version }) =>
      [
        version,
        () => scripted(modern({ ...script, "server/discover": discovered({ supportedVersions: [version] }) }))
      ] as const
  ),
  ...legacyRevisions.map(
    ({ version }) =>
      [version, () => scripted(legacy({ ...script, initialize: initialized({ protocolVersion: version }) }))] as const
  )
]

describe("a server of any revision", () => {
  it("is one of five", () => expect(servers.length).toBe(5))

  for (const [version, server] of servers) {
    it.effect(`LIF-01 ${version} is spoken with: its tools are listed and called`, () =>
      Effect.gen(function* () {
        const client = yield* connect(server())
        expect(client.revision).toBe(version)
        expect(yield* Tools.list(client)).toEqual({ tools: [tool] })
        expect(yield* Tools.call(client, "add", { a: 1 })).toEqual({
          content: [{ type: "text", text: "3" }],
          "x-vendor": 1
        })
      })
    )
  }
  it.effect("sound is none of the kinds of content that 2024-11-05 knows", () =>
    Effect.gen(function* () {
      const sound = result({ content: [{ type: "audio", data: "", mimeType: "audio/wav" }] })
      const failures: Array<string> = []
      for (const { version } of legacyRevisions) {
        const initialize = initialized({ protocolVersion: version })
        const client = yield* connect(scripted(legacy({ initialize, "tools/call": sound })))
        const exit = yield* Effect.result(Tools.call(client, "t"))
        if (Result.isFailure(exit)) failures.push(`${version} ${exit.failure._tag}`)
      }
      expect(failures).toEqual(["2024-11-05 Violation"])
    })
  )
})
