import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { completeParams } from "../v2025_06_18/completion.ts"
import { RequestParams } from "./basic.ts"
import { request } from "./jsonrpc.ts"

export { CompleteResult, PromptReference, ResourceTemplateReference } from "../v2025_06_18/completion.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#completerequestparams */
export const CompleteRequestParams = lazy(() =>
  Schema.Struct({ ...RequestParams().fields, ...completeParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#completerequest */
export const CompleteRequest = request("completion/complete", CompleteRequestParams)
