import { type Content, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import { png, wav } from "./samples.ts"

const image: Content = { type: "image", data: png, mimeType: "image/png" }
const audio: Content = { type: "audio", data: wav, mimeType: "audio/wav" }

const resource = (uri: string, text: string, mimeType = "text/plain"): Content => ({
  type: "resource",
  resource: { uri, mimeType, text }
})

const saying = (name: string, description: string, answer: string | Content | ReadonlyArray<Content>) =>
  Tool.make(name, { description, annotations: { readOnlyHint: true }, run: () => Effect.succeed(answer) })

/** A tool for each kind of content that a result may hold. */
export const tools = [
  saying("test_simple_text", "Says a text", "This is a simple text response for testing."),
  saying("test_image_content", "Shows an image", image),
  saying("test_audio_content", "Plays a sound", audio),
  saying(
    "test_embedded_resource",
    "Hands over a resource",
    resource("test://embedded-resource", "This is an embedded resource content.")
  ),
  saying("test_multiple_content_types", "Says, shows and hands over", [
    { type: "text", text: "Multiple content types test:" },
    image,
    resource("test://mixed-content-resource", `{"test":"data","value":123}`, "application/json")
  ])
]
