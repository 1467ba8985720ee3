import * as Schema from "effect/Schema"
import { isObject } from "../../JsonRpc.ts"
import type { Questions } from "../../model/methods.ts"
import type { SamplingContent, SamplingMessage as Said } from "../../model/sampling.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { meta, object, optional, optionalBoolean } from "../fields.ts"
import type { QuestionCodec } from "../Revision.ts"
import { answered, wishes } from "../v2024_11_05/sampling.ts"
import { withText } from "../v2024_11_05/tools.ts"
import { ofObjects } from "../v2025_06_18/tools.ts"
import { Role } from "./annotations.ts"
import { Result } from "./basic.ts"
import { AudioContent, ContentBlock, ImageContent, TextContent } from "./content.ts"
import { request } from "./jsonrpc.ts"
import { TaskAugmentedRequestParams } from "./tasks.ts"
import { Tool } from "./tools.ts"

export { ModelHint, ModelPreferences } from "../v2025_06_18/sampling.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#toolusecontent */
export const ToolUseContent = lazy(() =>
  Schema.Struct({
    type: Schema.Literal("tool_use"),
    id: Schema.String,
    name: Schema.String,
    input: object(),
    ...meta()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#toolresultcontent */
export const ToolResultContent = lazy(() =>
  Schema.Struct({
    type: Schema.Literal("tool_result"),
    toolUseId: Schema.String,
    content: Schema.Array(ContentBlock()),
    structuredContent: optional(object()),
    isError: optionalBoolean(),
    ...meta()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#samplingmessagecontentblock */
export const SamplingMessageContentBlock = lazy(() =>
  Schema.Union([TextContent(), ImageContent(), AudioContent(), ToolUseContent(), ToolResultContent()])
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#samplingmessage */
export const SamplingMessage = lazy(() =>
  Schema.Struct({
    role: Role(),
    content: Schema.Union([SamplingMessageContentBlock(), Schema.Array(SamplingMessageContentBlock())]),
    ...meta()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#toolchoice */
export const ToolChoice = lazy(() => Schema.Struct({ mode: optional(Schema.Literals(["auto", "required", "none"])) }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#createmessagerequestparams */
export const CreateMessageRequestParams = lazy(() =>
  Schema.Struct({
    ...TaskAugmentedRequestParams().fields,
    messages: Schema.Array(SamplingMessage()),
    ...wishes(),
    tools: optional(Schema.Array(Tool())),
    toolChoice: optional(ToolChoice())
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#createmessagerequest */
export const CreateMessageRequest = request("sampling/createMessage", CreateMessageRequestParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#createmessageresult */
export const CreateMessageResult = lazy(() =>
  Schema.Struct({ ...SamplingMessage().fields, ...answered(), ...Result().fields })
)

const encodeBlock = (block: SamplingContent): SamplingContent => {
  if (block.type !== "tool_result" || block.structuredContent === undefined || isObject(block.structuredContent))
    return block
  const { structuredContent, ...result } = block
  return { ...result, content: withText(result.content, structuredContent) }
}

const encodeMessage = <M extends Said>(message: M): M => ({
  ...message,
  content: "type" in message.content ? encodeBlock(message.content) : message.content.map(encodeBlock)
})

/** What a tool gives is structured only as an object: of anything else the text is left, or its JSON. @see https://modelcontextprotocol.io/specification/2025-11-25/client/sampling */
export const createMessage: QuestionCodec<
  Questions["sampling/createMessage"]["params"],
  Questions["sampling/createMessage"]["result"]
> = {
  decodeParams: paramsChecker(CreateMessageRequestParams),
  encodeParams: (params) => ({
    ...params,
    messages: params.messages.map(encodeMessage),
    ...(params.tools === undefined ? undefined : { tools: params.tools.map(ofObjects) })
  }),
  decodeResult: checker(CreateMessageResult),
  encodeResult: (result) => ({ ...encodeMessage(result) })
}
