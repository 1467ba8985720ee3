import * as Schema from "effect/Schema"
import type { JsonObject } from "../../JsonRpc.ts"
import { type Content, text } from "../../model/content.ts"
import type {
  CreateMessageParams,
  CreateMessageResult as Created,
  SamplingContent,
  SamplingMessage as Said,
  ToolResultContent
} from "../../model/sampling.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { fraction, integer, object, optional, optionalNumber, optionalString, strings } from "../fields.ts"
import { omit } from "../project.ts"
import { Invalid, type QuestionCodec } from "../Revision.ts"
import { Role } from "./annotations.ts"
import { Result } from "./basic.ts"
import { encodeContent, ImageContent, linkAsText, TextContent } from "./content.ts"
import { message } from "./jsonrpc.ts"

/** @see https://modelcontextprotocol.io/specification/2024-11-05/client/sampling#model-preferences */
export const ModelHint = lazy(() => Schema.Struct({ name: optionalString() }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/client/sampling#model-preferences */
export const ModelPreferences = lazy(() =>
  Schema.Struct({
    hints: optional(Schema.Array(ModelHint())),
    costPriority: optional(fraction()),
    speedPriority: optional(fraction()),
    intelligencePriority: optional(fraction())
  })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/client/sampling#data-types */
export const SamplingMessage = lazy(() =>
  Schema.Struct({ role: Role(), content: Schema.Union([TextContent(), ImageContent()]) })
)

/** All that is asked but the messages. */
export const wishes = lazy(() => ({
  maxTokens: integer(),
  modelPreferences: optional(ModelPreferences()),
  systemPrompt: optionalString(),
  includeContext: optional(Schema.Literals(["none", "thisServer", "allServers"])),
  temperature: optionalNumber(),
  stopSequences: optional(strings()),
  metadata: optional(object())
}))

/** What the model is asked. */
export const createParams = lazy(() => Schema.Struct({ messages: Schema.Array(SamplingMessage()), ...wishes() }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/client/sampling#creating-messages */
export const CreateMessageRequest = message("sampling/createMessage", createParams)

/** Which model answered, and why it stopped. */
export const answered = lazy(() => ({ model: Schema.String, stopReason: optionalString() }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/client/sampling#creating-messages */
export const CreateMessageResult = lazy(() =>
  Schema.Struct({ ...SamplingMessage().fields, ...answered(), ...Result().fields })
)

/** What a message may hold: a link that a tool gave is told in words, and a resource is its text, if it has one. */
const inMessage = (block: Content): Content => {
  if (block.type !== "resource") return linkAsText(block) ?? block
  const { mimeType = "application/octet-stream", ...resource } = block.resource
  return text("text" in resource ? resource.text : `[${mimeType}: ${resource.uri}, which this connection cannot carry]`)
}

const isText = (block: Content): boolean =>
  block.type === "text" || (block.type === "resource" && "text" in block.resource)

/** What a tool gave: that it failed, first; the JSON of what is structured where there is no text; and never nothing. */
const given = (
  { content, isError = false, structuredContent }: ToolResultContent,
  encode: (block: Content) => Content
): ReadonlyArray<Content> => {
  const blocks = content.map((block) => inMessage(encode(block)))
  const isTold = structuredContent === undefined || content.some(isText)
  const said = isTold ? blocks : [...blocks, text(JSON.stringify(structuredContent) ?? "null")]
  if (isError) return [text("[the call failed]"), ...said]
  return said.length === 0 ? [text("[the call gave nothing]")] : said
}

/** A call of a tool, or what it gave, in words: for revisions whose models call none. */
const inWords = (content: SamplingContent, encode: (block: Content) => Content): ReadonlyArray<Content> => {
  switch (content.type) {
    case "tool_use":
      return [text(`[calls ${content.name}: ${JSON.stringify(content.input) ?? "{}"}]`)]
    case "tool_result":
      return given(content, encode)
    default:
      return [encode(content)]
  }
}

const listOf = (content: Said["content"]): ReadonlyArray<SamplingContent> => ("type" in content ? [content] : content)

/** Messages that hold one block each, instead of any that hold several. */
const oneEach =
  (encode: (block: Content) => Content) =>
  ({ content, role }: Said): ReadonlyArray<{ readonly role: string; readonly content: Content }> =>
    listOf(content).flatMap((block) => inWords(block, encode).map((content) => ({ role, content })))

/** One block instead of several: their text, or the first one when there is none. */
const oneOf = (content: Said["content"], encode: (block: Content) => Content): Content => {
  const blocks = listOf(content).flatMap((block) => inWords(block, encode))
  const [first] = blocks
  if (first !== undefined && blocks.length === 1) return first
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []))
  return texts.length === 0 && first !== undefined ? first : text(texts.join("\n"))
}

/**
 * How revisions write that have no tools in sampling: a message holds one block, calls of tools are told in words. What
 * says nothing at all cannot be asked.
 */
export const encodeSampling = (encode: (block: Content) => Content) => ({
  encodeParams: (params: CreateMessageParams): JsonObject | Invalid => {
    if (params.toolChoice?.mode === "required")
      return new Invalid("a call of a tool cannot be required of a model in this revision")
    const messages = params.messages.flatMap(oneEach(encode))
    if (messages.length === 0 && params.messages.length > 0)
      return new Invalid("no message holds anything that can be said in this revision")
    return { ...omit(params, ["tools", "toolChoice"]), messages }
  },
  encodeResult: ({ content, ...result }: Created) => ({ ...result, content: oneOf(content, encode) })
})

/** There are no tools here, and a message holds one block. @see https://modelcontextprotocol.io/specification/2024-11-05/client/sampling */
export const createMessage: QuestionCodec<CreateMessageParams, Created> = {
  decodeParams: paramsChecker(createParams),
  decodeResult: checker(CreateMessageResult),
  ...encodeSampling(encodeContent)
}
