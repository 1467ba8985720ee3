import { Server, Tool } from "@effective-mcp/server"
import { Effect, Schema } from "effect"

const add = Tool.make("add", {
  description: "Adds two numbers",
  input: { a: Schema.Finite, b: Schema.Finite },
  run: ({ a, b }) => Effect.succeed(`${a + b}`)
})

/** The server that every sample of this folder serves. */
export const calculator = Server.make({ name: "calculator", version: "1.0.0" }, [add])
