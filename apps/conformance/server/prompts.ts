import { Prompt } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { png } from "./contents/samples.ts"

/** A prompt for each kind of content that a message may hold. */
export const prompts = [
  Prompt.make("test_simple_prompt", {
    description: "A text",
    run: () => Effect.succeed("This is a simple prompt for testing.")
  }),
  Prompt.make("test_prompt_with_embedded_resource", {
    description: "A resource, and a question about it",
    arguments: { resourceUri: Schema.String.annotate({ description: "The URI that the resource will have" }) },
    run: ({ resourceUri }) =>
      Effect.succeed([
        Prompt.user({
          type: "resource",
          resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." }
        }),
        Prompt.user("Please process the embedded resource above.")
      ])
  }),
  Prompt.make("test_prompt_with_image", {
    description: "An image, and a question about it",
    run: () =>
      Effect.succeed([
        Prompt.user({ type: "image", data: png, mimeType: "image/png" }),
        Prompt.user("Please analyze the image above.")
      ])
  })
]
