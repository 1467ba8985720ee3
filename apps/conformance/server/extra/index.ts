import { Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { count } from "./count.ts"
import { whoami } from "./whoami.ts"

/** The longest text that `blob` gives back. */
const MOST_BYTES = 64 * 1024 * 1024

const echo = Tool.make("echo", {
  description: "Says what it is told",
  input: { text: Schema.String },
  run: ({ text }) => Effect.succeed(text)
})

const blob = Tool.make("blob", {
  description: "Says as much as it is asked for",
  input: { bytes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MOST_BYTES })) },
  run: ({ bytes }) => Effect.sync(() => "x".repeat(bytes))
})

const noise = Tool.make("noise", {
  description: "Writes to the console while it runs",
  run: () =>
    Effect.sync(() => {
      console.log("this is no message")
      return "a noise was made"
    })
})

/** What a suite needs to look into a server from outside. */
export const tools = [echo, count, blob, whoami, noise]
