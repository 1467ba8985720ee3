import * as Schema from "effect/Schema"
import type { Methods } from "../../model/methods.ts"
import { checker, lazy } from "../check.ts"
import type { Codec } from "../Revision.ts"
import {
  encodeMessages,
  getPrompt as getPrompt_2024_11_05,
  GetPromptResult as GetPromptResult_2024_11_05,
  PromptMessage as PromptMessage_2024_11_05
} from "../v2024_11_05/prompts.ts"
import { contentBlock, encodeContent } from "./content.ts"

export {
  GetPromptRequest,
  ListPromptsRequest,
  ListPromptsResult,
  Prompt,
  PromptArgument,
  PromptListChangedNotification
} from "../v2024_11_05/prompts.ts"

/** @see https://modelcontextprotocol.io/specification/2025-03-26/server/prompts#promptmessage */
export const PromptMessage = lazy(() =>
  Schema.Struct({ ...PromptMessage_2024_11_05().fields, content: contentBlock() })
)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/server/prompts#getting-a-prompt */
export const GetPromptResult = lazy(() =>
  Schema.Struct({ ...GetPromptResult_2024_11_05().fields, messages: Schema.Array(PromptMessage()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/server/prompts#getting-a-prompt */
export const getPrompt: Codec<Methods["prompts/get"]["params"], Methods["prompts/get"]["result"]> = {
  ...getPrompt_2024_11_05,
  decodeResult: checker(GetPromptResult),
  encodeResult: encodeMessages(encodeContent)
}
