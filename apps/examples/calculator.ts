import { Server, Tool } from "@effective-mcp/server"
import { runMain, serve } from "@effective-mcp/transport-stdio"
import { Effect, Schema } from "effect"

const add = Tool.make("add", {
  description: "Adds two numbers",
  input: { a: Schema.Finite, b: Schema.Finite },
  run: ({ a, b }) => Effect.succeed(`${a + b}`)
})
runMain(serve(Server.make({ name: "calculator", version: "1.0.0" }, [add])))
