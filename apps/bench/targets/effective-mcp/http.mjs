// Effective MCP over HTTP, as its docs show, on the built packages.  http.mjs http <port> <legacy|legacy-stateless|modern>
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Changes, Server, Tool } from "@effective-mcp/server"
import { serve } from "@effective-mcp/transport-http/server"

const echo = Tool.make("echo", {
  description: "Echo the text",
  input: { text: Schema.String },
  run: ({ text }) => Effect.succeed(text)
})

const extraInput = Schema.Struct({
  query: Schema.String.annotate({ description: "What to look for" }),
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
  mode: Schema.Literals(["fast", "exact", "fuzzy"]),
  tags: Schema.optionalKey(Schema.Array(Schema.String))
})
const extra = Array.from({ length: Number(process.env.BENCH_TOOLS ?? 0) }, (_, i) =>
  Tool.make(`tool_${i}`, {
    description: `Synthetic tool number ${i}: takes a query, a limit, a mode and tags.`,
    input: extraInput,
    run: () => Effect.succeed([])
  })
)

const changes = Changes.make()
const notify = Tool.make("notify", {
  description: "Announce that the tools have changed",
  run: () => Effect.as(changes.publish(Changes.listChanged("tools")), [])
})

const [, port, lifecycle] = process.argv.slice(2)
const server = Server.make({ name: "effective-mcp", version: "1.0.0" }, [echo, notify, ...extra], { changes })
const options = { port: Number(port), ...(lifecycle === "legacy-stateless" ? { sessions: false } : {}) }

await Effect.runPromise(Effect.scoped(Effect.andThen(serve(server, options), Effect.never)))
