import { connect } from "@effective-mcp/detector"
import { Tools } from "@effective-mcp/client"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { everythingOverHttp, everythingServer, overHttp, overStdio, type Program, serving } from "../peers/Program.ts"
import { freePort, served } from "../peers/served.ts"
import { meet, targets } from "../targets/targets.ts"

const words = ({ args, command }: Program): readonly [string, ...ReadonlyArray<string>] => [command, ...args]
const quiet = { client: { notices: false } }

describe("connect(target)", () => {
  it.live("takes ten kinds of targets", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const shown = yield* targets
        expect(shown).toHaveLength(10)
        for (const target of shown) expect(yield* meet(target)).toMatch(/add\(19, 23\) = 42, speaking 20/)
      })
    )
  )
  for (const peer of ["officialV1", "officialV2", "effectAi"] as const) {
    it.live(`reaches a server of ${peer} by its command and by its address`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const clients = [yield* connect(words(overStdio(peer))), yield* connect(yield* served(overHttp(peer)))]
          for (const client of clients) {
            const { tools } = yield* Tools.list(client)
            expect(tools.map(({ name }) => name)).toContain("add")
          }
        })
      )
    )
  }
  it.live(
    "reaches the reference server over stdio, Streamable HTTP and HTTP+SSE, as servers of one configuration",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const everythingOverSse = serving(words(everythingServer).at(-1)!, "sse")
          const over = (program: Program) =>
            Effect.flatMap(freePort, (port) =>
              Effect.as(served(program, /listening|running on port|Server is running/i, { PORT: String(port) }), port)
            )
          const http = yield* over(everythingOverHttp)
          const sse = yield* over(everythingOverSse)
          const [command, ...args] = words(everythingServer)
          const client = yield* connect(
            {
              mcpServers: {
                stdio: { command, args },
                http: { url: `http://127.0.0.1:${http}/mcp` },
                sse: { url: `http://127.0.0.1:${sse}/sse` }
              }
            },
            quiet
          )
          for (const { key } of client.servers) {
            const sum = yield* Tools.call(client, `${key}_get-sum`, { a: 19, b: 23 })
            expect(Tools.text(sum)).toContain("42")
          }
          expect(client.servers.map(({ key }) => key)).toEqual(["stdio", "http", "sse"])
        })
      )
  )
})
