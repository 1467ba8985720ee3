import * as Schema from "effect/Schema"
import type { Questions } from "../../model/methods.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { meta, optional } from "../fields.ts"
import { asItIs, each, omit } from "../project.ts"
import type { QuestionCodec } from "../Revision.ts"
import { message } from "../v2024_11_05/jsonrpc.ts"
import { answered, wishes } from "../v2024_11_05/sampling.ts"
import {
  ToolChoice,
  ToolResultContent as ToolResultContent_2025_11_25,
  ToolUseContent
} from "../v2025_11_25/sampling.ts"
import { Role } from "./annotations.ts"
import { AudioContent, ImageContent, TextContent } from "./content.ts"
import { encodeTool, Tool } from "./tool.ts"

export { ToolChoice, ToolUseContent }
export { ModelHint, ModelPreferences } from "../v2025_11_25/sampling.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#toolresultcontent */
export const ToolResultContent = lazy(() =>
  Schema.Struct({
    ...ToolResultContent_2025_11_25().fields,
    structuredContent: optional(Schema.Unknown)
  })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#samplingmessagecontentblock */
export const SamplingMessageContentBlock = lazy(() =>
  Schema.Union([TextContent(), ImageContent(), AudioContent(), ToolUseContent(), ToolResultContent()])
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#samplingmessage */
export const SamplingMessage = lazy(() =>
  Schema.Struct({
    role: Role(),
    content: Schema.Union([SamplingMessageContentBlock(), Schema.Array(SamplingMessageContentBlock())]),
    ...meta()
  })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#createmessagerequestparams */
export const CreateMessageRequestParams = lazy(() =>
  Schema.Struct({
    messages: Schema.Array(SamplingMessage()),
    ...wishes(),
    tools: optional(Schema.Array(Tool())),
    toolChoice: optional(ToolChoice())
  })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#createmessagerequest */
export const CreateMessageRequest = message("sampling/createMessage", CreateMessageRequestParams)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#createmessageresult */
export const CreateMessageResult = lazy(() => Schema.Struct({ ...SamplingMessage().fields, ...answered() }))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling */
export const createMessage: QuestionCodec<
  Questions["sampling/createMessage"]["params"],
  Questions["sampling/createMessage"]["result"]
> = {
  decodeParams: paramsChecker(CreateMessageRequestParams),
  encodeParams: ({ tools, ...params }) => ({
    ...omit(params, ["_meta"]),
    ...(tools && { tools: each(tools, encodeTool) })
  }),
  decodeResult: checker(CreateMessageResult),
  encodeResult: asItIs
}
