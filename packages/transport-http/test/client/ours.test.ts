import { Client, Completion, Prompts, Resources, Tools } from "@effective-mcp/client"
import { Peer } from "@effective-mcp/protocol"
import { Prompt, Resource, ResourceTemplate, Server, Tool } from "@effective-mcp/server"
import { pair } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { connect } from "../../src/client/index.ts"
import { serve } from "../../src/server/index.ts"

const server = Server.make({ name: "ours", version: "1" }, [
  Tool.make("add", {
    description: "Adds",
    input: { a: Schema.Finite, b: Schema.Finite },
    run: ({ a, b }) => Effect.succeed(`${a + b}`)
  }),
  Resource.make("note://one", { read: Effect.succeed("a note") }),
  ResourceTemplate.make("note://{day}", { complete: { day: ["today"] }, read: ({ day }) => Effect.succeed(day) }),
  Prompt.make("greet", { arguments: { who: Schema.String }, run: ({ who }) => Effect.succeed(`Greet ${who}`) })
])

/** The same server over a pipe. */
const overPipe = Effect.gen(function* () {
  const [near, far] = yield* pair()
  yield* Effect.forkScoped(Effect.ignore(Peer.host(far, server)))
  return yield* Peer.make(near)
})

/** All that a program asks of it. */
const use = Effect.fnUntraced(function* (client: Client.Client) {
  yield* client.ping()
  return [
    client.era,
    client.revision,
    client.server,
    client.capabilities,
    yield* Tools.list(client),
    yield* Tools.call(client, "add", { a: 1, b: 2 }),
    yield* Effect.flip(Tools.call(client, "nope")),
    yield* Stream.runCollect(Resources.all(client)),
    yield* Stream.runCollect(Resources.allTemplates(client)),
    yield* Resources.read(client, "note://one"),
    yield* Effect.flip(Resources.read(client, "file:///nope")),
    yield* Prompts.list(client),
    yield* Prompts.get(client, "greet", { who: "all" }),
    yield* Completion.complete(client, { template: "note://{day}" }, { name: "day", value: "t" })
  ]
})

/** What it got, but for what only one wire can tell. */
const asJson = (got: unknown): unknown =>
  JSON.parse(JSON.stringify(got, (key, value: unknown) => (key === "httpStatus" ? undefined : value)))

describe("our client and our server over HTTP", () => {
  for (const era of ["modern", "legacy"] as const) {
    it.live(`C-07 have all that they have over a pipe, ${era}`, () =>
      Effect.gen(function* () {
        const { url } = yield* serve(server)
        const info = { name: "client", version: "1" }
        const piped = yield* use(yield* Client.connect(overPipe, info, { era }))
        const posted = yield* use(yield* Client.connect(connect(url), info, { era }))
        expect(asJson(posted)).toEqual(asJson(piped))
      })
    )
  }
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
