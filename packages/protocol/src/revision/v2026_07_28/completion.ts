import * as Schema from "effect/Schema"
import type { Methods } from "../../model/methods.ts"
import { checker, lazy } from "../check.ts"
import type { Codec } from "../Revision.ts"
import { encodeCompletion } from "../v2024_11_05/completion.ts"
import { complete as complete_2025_06_18, completeParams } from "../v2025_06_18/completion.ts"
import { CompleteResult as CompleteResult_2025_11_25 } from "../v2025_11_25/completion.ts"
import { request } from "../v2025_11_25/jsonrpc.ts"
import { RequestParams, Result } from "./basic.ts"
import { response } from "./jsonrpc.ts"

export { PromptReference, ResourceTemplateReference } from "../v2025_11_25/completion.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#completerequestparams */
export const CompleteRequestParams = lazy(() =>
  Schema.Struct({ ...RequestParams().fields, ...completeParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#completerequest */
export const CompleteRequest = request("completion/complete", CompleteRequestParams)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#completeresult */
export const CompleteResult = lazy(() => Schema.Struct({ ...CompleteResult_2025_11_25().fields, ...Result().fields }))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#completeresultresponse */
export const CompleteResultResponse = response(CompleteResult)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion */
export const complete: Codec<Methods["completion/complete"]["params"], Methods["completion/complete"]["result"]> = {
  ...complete_2025_06_18,
  decodeResult: checker(CompleteResult),
  encodeResult: encodeCompletion
}
