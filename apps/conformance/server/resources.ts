import { Resource, ResourceTemplate } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import { png } from "./contents/samples.ts"

/** Text, bytes, one that can be watched, and many by a template. */
export const resources = [
  Resource.make("test://static-text", {
    description: "A text that stays as it is",
    mimeType: "text/plain",
    read: Effect.succeed("This is the content of the static text resource.")
  }),
  Resource.make("test://static-binary", {
    description: "An image that stays as it is",
    mimeType: "image/png",
    read: Effect.succeed({ blob: png })
  }),
  Resource.make("test://watched-resource", {
    description: "A text that clients may subscribe to",
    mimeType: "text/plain",
    read: Effect.succeed("Watched resource content")
  }),
  ResourceTemplate.make("test://template/{id}/data", {
    description: "A text for each id",
    mimeType: "application/json",
    read: ({ id }) => Effect.succeed(JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }))
  })
]
