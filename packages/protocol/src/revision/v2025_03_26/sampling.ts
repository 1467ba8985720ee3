import * as Schema from "effect/Schema"
import type { Questions } from "../../model/methods.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import type { QuestionCodec } from "../Revision.ts"
import { message } from "../v2024_11_05/jsonrpc.ts"
import {
  createParams as createParams_2024_11_05,
  CreateMessageResult as CreateMessageResult_2024_11_05,
  encodeSampling,
  SamplingMessage as SamplingMessage_2024_11_05
} from "../v2024_11_05/sampling.ts"
import { AudioContent, encodeContent, ImageContent, TextContent } from "./content.ts"

export { ModelHint, ModelPreferences } from "../v2024_11_05/sampling.ts"

const content = lazy(() => Schema.Union([TextContent(), ImageContent(), AudioContent()]))

/** @see https://modelcontextprotocol.io/specification/2025-03-26/client/sampling#data-types */
export const SamplingMessage = lazy(() => Schema.Struct({ ...SamplingMessage_2024_11_05().fields, content: content() }))

const createParams = lazy(() =>
  Schema.Struct({ ...createParams_2024_11_05().fields, messages: Schema.Array(SamplingMessage()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/client/sampling#creating-messages */
export const CreateMessageRequest = message("sampling/createMessage", createParams)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/client/sampling#creating-messages */
export const CreateMessageResult = lazy(() =>
  Schema.Struct({ ...CreateMessageResult_2024_11_05().fields, content: content() })
)

/** There are no tools here, and a message holds one block. @see https://modelcontextprotocol.io/specification/2025-03-26/client/sampling */
export const createMessage: QuestionCodec<
  Questions["sampling/createMessage"]["params"],
  Questions["sampling/createMessage"]["result"]
> = {
  decodeParams: paramsChecker(createParams),
  decodeResult: checker(CreateMessageResult),
  ...encodeSampling(encodeContent)
}
