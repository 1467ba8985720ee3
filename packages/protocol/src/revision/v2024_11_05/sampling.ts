import * as Schema from "effect/Schema"
import type { Content } from "../../model/content.ts"
import type {
  CreateMessageParams,
  CreateMessageResult as Created,
  SamplingContent,
  SamplingMessage as Said
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

/** A call of a tool, or what it gave, in words: for revisions whose models call none. */
const inWords = (content: SamplingContent, encode: (block: Content) => Content): ReadonlyArray<Content> => {
  if (content.type === "tool_use") {
    return [{ type: "text", text: `[calls ${content.name}: ${JSON.stringify(content.input) ?? "{}"}]` }]
  }
  if (content.type === "tool_result") return content.content.flatMap((block) => inMessage(encode(block)))
  return [encode(content)]
}

/** What a message may hold: a link that a tool gave is told in words, and a resource is its text, if it has one. */
const inMessage = (block: Content): ReadonlyArray<Content> => {
  if (block.type !== "resource") return [linkAsText(block) ?? block]
  return "text" in block.resource ? [{ type: "text", text: block.resource.text }] : []
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
  return texts.length === 0 && first !== undefined ? first : { type: "text", text: texts.join("\n") }
}

/** How revisions write that have no tools in sampling: a message holds one block, calls of tools are told in words. */
export const encodeSampling = (encode: (block: Content) => Content) => ({
  encodeParams: (params: CreateMessageParams) =>
    params.toolChoice?.mode === "required"
      ? new Invalid("a call of a tool cannot be required of a model in this revision")
      : {
          ...omit(params, ["tools", "toolChoice"]),
          messages: params.messages.flatMap(oneEach(encode))
        },
  encodeResult: ({ content, ...result }: Created) => ({ ...result, content: oneOf(content, encode) })
})

/** There are no tools here, and a message holds one block. @see https://modelcontextprotocol.io/specification/2024-11-05/client/sampling */
export const createMessage: QuestionCodec<CreateMessageParams, Created> = {
  decodeParams: paramsChecker(createParams),
  decodeResult: checker(CreateMessageResult),
  ...encodeSampling(encodeContent)
}
