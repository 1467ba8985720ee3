import * as Schema from "effect/Schema"
import type { Methods } from "../../model/methods.ts"
import { checker, lazy, listChecker } from "../check.ts"
import { oneOf } from "../fields.ts"
import { asItIs } from "../project.ts"
import type { Codec } from "../Revision.ts"
import { promptParams } from "../v2024_11_05/prompts.ts"
import { bareNotification, request } from "../v2025_11_25/jsonrpc.ts"
import {
  getPrompt as getPrompt_2025_11_25,
  GetPromptResult as GetPromptResult_2025_11_25,
  listPrompts as listPrompts_2025_11_25,
  ListPromptsResult as ListPromptsResult_2025_11_25,
  Prompt
} from "../v2025_11_25/prompts.ts"
import { NotificationParams, Result } from "./basic.ts"
import { CacheableResult, decodeHints, encodeHints } from "./caching.ts"
import { InputRequiredResult, InputResponseRequestParams, withoutQuestions } from "./inputRequired.ts"
import { response } from "./jsonrpc.ts"
import { pageRequest } from "./pagination.ts"

export { Prompt }
export { PromptArgument, PromptMessage } from "../v2025_11_25/prompts.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#listing-prompts */
export const ListPromptsRequest = pageRequest("prompts/list")

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#listpromptsresult */
export const ListPromptsResult = lazy(() =>
  Schema.Struct({ ...ListPromptsResult_2025_11_25().fields, ...CacheableResult().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#listpromptsresultresponse */
export const ListPromptsResultResponse = response(ListPromptsResult)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#getpromptrequestparams */
export const GetPromptRequestParams = lazy(() =>
  Schema.Struct({ ...InputResponseRequestParams().fields, ...promptParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#getpromptrequest */
export const GetPromptRequest = request("prompts/get", GetPromptRequestParams)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#getpromptresult */
export const GetPromptResult = lazy(() => Schema.Struct({ ...GetPromptResult_2025_11_25().fields, ...Result().fields }))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#getpromptresultresponse */
export const GetPromptResultResponse = response(oneOf(InputRequiredResult, GetPromptResult))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#promptlistchangednotification */
export const PromptListChangedNotification = bareNotification("notifications/prompts/list_changed", NotificationParams)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#listing-prompts */
export const listPrompts: Codec<Methods["prompts/list"]["params"], Methods["prompts/list"]["result"]> = {
  ...listPrompts_2025_11_25,
  decodeResult: decodeHints(listChecker(ListPromptsResult, "prompts", Prompt)),
  encodeResult: encodeHints
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt */
export const getPrompt: Codec<Methods["prompts/get"]["params"], Methods["prompts/get"]["result"]> = {
  ...getPrompt_2025_11_25,
  decodeResult: checker(GetPromptResult),
  encodeResult: (result) => asItIs(withoutQuestions(result))
}
