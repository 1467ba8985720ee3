import * as Schema from "effect/Schema"
import type { Questions } from "../../model/methods.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import type { QuestionCodec } from "../Revision.ts"
import { message } from "../v2024_11_05/jsonrpc.ts"
import { createParams as createParams_2024_11_05, encodeSampling } from "../v2024_11_05/sampling.ts"
import {
  CreateMessageResult as CreateMessageResult_2025_03_26,
  SamplingMessage as SamplingMessage_2025_03_26
} from "../v2025_03_26/sampling.ts"
import { AudioContent, encodeContent, ImageContent, TextContent } from "./content.ts"

export { ModelHint, ModelPreferences } from "../v2025_03_26/sampling.ts"

const content = lazy(() => Schema.Union([TextContent(), ImageContent(), AudioContent()]))

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#samplingmessage */
export const SamplingMessage = lazy(() => Schema.Struct({ ...SamplingMessage_2025_03_26().fields, content: content() }))

const createParams = lazy(() =>
  Schema.Struct({ ...createParams_2024_11_05().fields, messages: Schema.Array(SamplingMessage()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#createmessagerequest */
export const CreateMessageRequest = message("sampling/createMessage", createParams)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#createmessageresult */
export const CreateMessageResult = lazy(() =>
  Schema.Struct({ ...CreateMessageResult_2025_03_26().fields, content: content() })
)

/** There are no tools here, and a message holds one block. @see https://modelcontextprotocol.io/specification/2025-06-18/client/sampling */
export const createMessage: QuestionCodec<
  Questions["sampling/createMessage"]["params"],
  Questions["sampling/createMessage"]["result"]
> = {
  decodeParams: paramsChecker(createParams),
  decodeResult: checker(CreateMessageResult),
  ...encodeSampling(encodeContent)
}
