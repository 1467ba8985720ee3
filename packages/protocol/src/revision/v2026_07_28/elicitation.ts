import * as Schema from "effect/Schema"
import type { Questions } from "../../model/methods.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { asItIs, omit } from "../project.ts"
import type { QuestionCodec } from "../Revision.ts"
import { message } from "../v2024_11_05/jsonrpc.ts"
import { ElicitResult as ElicitResult_2025_11_25, form, page } from "../v2025_11_25/elicitation.ts"

export {
  BooleanSchema,
  EnumSchema,
  LegacyTitledEnumSchema,
  MultiSelectEnumSchema,
  NumberSchema,
  PrimitiveSchemaDefinition,
  SingleSelectEnumSchema,
  StringSchema,
  TitledMultiSelectEnumSchema,
  TitledSingleSelectEnumSchema,
  UntitledMultiSelectEnumSchema,
  UntitledSingleSelectEnumSchema
} from "../v2025_11_25/elicitation.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitrequestformparams */
export const ElicitRequestFormParams = lazy(() => Schema.Struct(form()))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitrequesturlparams */
export const ElicitRequestURLParams = lazy(() => Schema.Struct(page()))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitrequestparams */
export const ElicitRequestParams = lazy(() => Schema.Union([ElicitRequestFormParams(), ElicitRequestURLParams()]))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitrequest */
export const ElicitRequest = message("elicitation/create", ElicitRequestParams)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitresult */
export const ElicitResult = lazy(() => {
  const { action, content } = ElicitResult_2025_11_25().fields
  return Schema.Struct({ action, content })
})

/** Sending to a page has no id here, and an answer no metadata. @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation */
export const elicit: QuestionCodec<
  Questions["elicitation/create"]["params"],
  Questions["elicitation/create"]["result"]
> = {
  decodeParams: paramsChecker(ElicitRequestParams),
  encodeParams: (params) => asItIs(omit(params, ["elicitationId", "_meta"])),
  decodeResult: checker(ElicitResult),
  encodeResult: (result) => asItIs(omit(result, ["_meta"]))
}
