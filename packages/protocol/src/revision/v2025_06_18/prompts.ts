import * as Schema from "effect/Schema"
import type { Methods } from "../../model/methods.ts"
import { checker, lazy, listChecker } from "../check.ts"
import { meta, optional, optionalString } from "../fields.ts"
import { list, omit } from "../project.ts"
import type { Codec } from "../Revision.ts"
import {
  encodeMessages,
  getPrompt as getPrompt_2024_11_05,
  GetPromptResult as GetPromptResult_2024_11_05,
  listPrompts as listPrompts_2024_11_05,
  ListPromptsResult as ListPromptsResult_2024_11_05,
  Prompt as Prompt_2024_11_05,
  PromptArgument as PromptArgument_2024_11_05,
  PromptMessage as PromptMessage_2024_11_05
} from "../v2024_11_05/prompts.ts"
import { ContentBlock, encodeContent } from "./content.ts"

export { GetPromptRequest, ListPromptsRequest, PromptListChangedNotification } from "../v2025_03_26/prompts.ts"

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#promptargument */
export const PromptArgument = lazy(() =>
  Schema.Struct({ ...PromptArgument_2024_11_05().fields, title: optionalString() })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#prompt */
export const Prompt = lazy(() =>
  Schema.Struct({
    ...Prompt_2024_11_05().fields,
    title: optionalString(),
    arguments: optional(Schema.Array(PromptArgument())),
    ...meta()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#listpromptsresult */
export const ListPromptsResult = lazy(() =>
  Schema.Struct({ ...ListPromptsResult_2024_11_05().fields, prompts: Schema.Array(Prompt()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#promptmessage */
export const PromptMessage = lazy(() =>
  Schema.Struct({ ...PromptMessage_2024_11_05().fields, content: ContentBlock() })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#getpromptresult */
export const GetPromptResult = lazy(() =>
  Schema.Struct({ ...GetPromptResult_2024_11_05().fields, messages: Schema.Array(PromptMessage()) })
)

/** There are no icons here. @see https://modelcontextprotocol.io/specification/2025-06-18/server/prompts#listing-prompts */
export const listPrompts: Codec<Methods["prompts/list"]["params"], Methods["prompts/list"]["result"]> = {
  ...listPrompts_2024_11_05,
  decodeResult: listChecker(ListPromptsResult, "prompts", Prompt),
  encodeResult: list("prompts", (prompt) => omit(prompt, ["icons"]))
}

/** @see https://modelcontextprotocol.io/specification/2025-06-18/server/prompts#getting-a-prompt */
export const getPrompt: Codec<Methods["prompts/get"]["params"], Methods["prompts/get"]["result"]> = {
  ...getPrompt_2024_11_05,
  decodeResult: checker(GetPromptResult),
  encodeResult: encodeMessages(encodeContent)
}
