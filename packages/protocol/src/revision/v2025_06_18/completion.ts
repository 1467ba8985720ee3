import * as Schema from "effect/Schema"
import type { Methods } from "../../model/methods.ts"
import { lazy, paramsChecker } from "../check.ts"
import { optional, optionalString } from "../fields.ts"
import { asItIs } from "../project.ts"
import type { Codec } from "../Revision.ts"
import {
  complete as complete_2024_11_05,
  completeParams as completeParams_2024_11_05,
  PromptReference as PromptReference_2024_11_05,
  ResourceReference
} from "../v2024_11_05/completion.ts"
import { message } from "../v2024_11_05/jsonrpc.ts"

export { CompleteResult, ResourceReference as ResourceTemplateReference } from "../v2024_11_05/completion.ts"

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#promptreference */
export const PromptReference = lazy(() =>
  Schema.Struct({ ...PromptReference_2024_11_05().fields, title: optionalString() })
)

/** What is to be completed, and what is known of the rest. */
export const completeParams = lazy(() =>
  Schema.Struct({
    ...completeParams_2024_11_05().fields,
    ref: Schema.Union([PromptReference(), ResourceReference()]),
    context: optional(Schema.Struct({ arguments: optional(Schema.Record(Schema.String, Schema.String)) }))
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#completerequest */
export const CompleteRequest = message("completion/complete", completeParams)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/server/utilities/completion */
export const complete: Codec<Methods["completion/complete"]["params"], Methods["completion/complete"]["result"]> = {
  ...complete_2024_11_05,
  decodeParams: paramsChecker(completeParams),
  encodeParams: asItIs
}
