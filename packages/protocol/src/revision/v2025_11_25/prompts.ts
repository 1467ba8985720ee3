import * as Schema from "effect/Schema"
import type { Methods } from "../../model/methods.ts"
import { checker, lazy, listChecker } from "../check.ts"
import { legacyAsItIs, list } from "../project.ts"
import type { Codec } from "../Revision.ts"
import { promptParams } from "../v2024_11_05/prompts.ts"
import {
  getPrompt as getPrompt_2025_06_18,
  GetPromptResult as GetPromptResult_2025_06_18,
  listPrompts as listPrompts_2025_06_18,
  ListPromptsResult as ListPromptsResult_2025_06_18,
  Prompt as Prompt_2025_06_18,
  PromptMessage as PromptMessage_2025_06_18
} from "../v2025_06_18/prompts.ts"
import { NotificationParams, RequestParams } from "./basic.ts"
import { ContentBlock } from "./content.ts"
import { Icons } from "./icons.ts"
import { bareNotification, request } from "./jsonrpc.ts"
import { pageRequest } from "./pagination.ts"

export { PromptArgument } from "../v2025_06_18/prompts.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#prompt */
export const Prompt = lazy(() => Schema.Struct({ ...Prompt_2025_06_18().fields, ...Icons().fields }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#listing-prompts */
export const ListPromptsRequest = pageRequest("prompts/list")

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#listpromptsresult */
export const ListPromptsResult = lazy(() =>
  Schema.Struct({ ...ListPromptsResult_2025_06_18().fields, prompts: Schema.Array(Prompt()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#getpromptrequestparams */
export const GetPromptRequestParams = lazy(() => Schema.Struct({ ...RequestParams().fields, ...promptParams().fields }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#getpromptrequest */
export const GetPromptRequest = request("prompts/get", GetPromptRequestParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#promptmessage */
export const PromptMessage = lazy(() =>
  Schema.Struct({ ...PromptMessage_2025_06_18().fields, content: ContentBlock() })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#getpromptresult */
export const GetPromptResult = lazy(() =>
  Schema.Struct({ ...GetPromptResult_2025_06_18().fields, messages: Schema.Array(PromptMessage()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#list-changed-notification */
export const PromptListChangedNotification = bareNotification("notifications/prompts/list_changed", NotificationParams)

/** There are no caching hints here. @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#listing-prompts */
export const listPrompts: Codec<Methods["prompts/list"]["params"], Methods["prompts/list"]["result"]> = {
  ...listPrompts_2025_06_18,
  decodeResult: listChecker(ListPromptsResult, "prompts", Prompt),
  encodeResult: list("prompts")
}

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#getting-a-prompt */
export const getPrompt: Codec<Methods["prompts/get"]["params"], Methods["prompts/get"]["result"]> = {
  ...getPrompt_2025_06_18,
  decodeResult: checker(GetPromptResult),
  encodeResult: legacyAsItIs
}
