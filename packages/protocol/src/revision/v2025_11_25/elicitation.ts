import * as Schema from "effect/Schema"
import type { Notifications, Questions } from "../../model/methods.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { optional, optionalInteger, optionalNumber, optionalString, strings } from "../fields.ts"
import { asItIs } from "../project.ts"
import { Invalid, type NotificationCodec, type QuestionCodec } from "../Revision.ts"
import {
  BooleanSchema,
  ElicitResult as ElicitResult_2025_06_18,
  EnumSchema as EnumSchema_2025_06_18,
  labels,
  NumberSchema as NumberSchema_2025_06_18,
  StringSchema as StringSchema_2025_06_18,
  values
} from "../v2025_06_18/elicitation.ts"
import { Error, errorResponse, notification, request } from "./jsonrpc.ts"
import { TaskAugmentedRequestParams } from "./tasks.ts"

export { BooleanSchema }

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#stringschema */
export const StringSchema = lazy(() =>
  Schema.Struct({ ...StringSchema_2025_06_18().fields, default: optionalString() })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#numberschema */
export const NumberSchema = lazy(() =>
  Schema.Struct({ ...NumberSchema_2025_06_18().fields, default: optionalNumber() })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#legacytitledenumschema */
export const LegacyTitledEnumSchema = lazy(() =>
  Schema.Struct({ ...EnumSchema_2025_06_18().fields, default: optionalString() })
)

const titled = lazy(() => Schema.Array(Schema.Struct({ const: Schema.String, title: Schema.String })))

const single = lazy(() => ({ type: Schema.Literal("string"), ...labels(), default: optionalString() }))

const several = lazy(() => ({
  type: Schema.Literal("array"),
  ...labels(),
  minItems: optionalInteger(),
  maxItems: optionalInteger(),
  default: optional(strings())
}))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#untitledsingleselectenumschema */
export const UntitledSingleSelectEnumSchema = lazy(() => Schema.Struct({ ...single(), enum: strings() }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#titledsingleselectenumschema */
export const TitledSingleSelectEnumSchema = lazy(() => Schema.Struct({ ...single(), oneOf: titled() }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#untitledmultiselectenumschema */
export const UntitledMultiSelectEnumSchema = lazy(() =>
  Schema.Struct({
    ...several(),
    items: Schema.Struct({ type: Schema.Literal("string"), enum: strings() })
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#titledmultiselectenumschema */
export const TitledMultiSelectEnumSchema = lazy(() =>
  Schema.Struct({ ...several(), items: Schema.Struct({ anyOf: titled() }) })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#singleselectenumschema */
export const SingleSelectEnumSchema = lazy(() =>
  Schema.Union([UntitledSingleSelectEnumSchema(), TitledSingleSelectEnumSchema()])
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#multiselectenumschema */
export const MultiSelectEnumSchema = lazy(() =>
  Schema.Union([UntitledMultiSelectEnumSchema(), TitledMultiSelectEnumSchema()])
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#enumschema */
export const EnumSchema = lazy(() =>
  Schema.Union([SingleSelectEnumSchema(), MultiSelectEnumSchema(), LegacyTitledEnumSchema()])
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#primitiveschemadefinition */
export const PrimitiveSchemaDefinition = lazy(() =>
  Schema.Union([EnumSchema(), StringSchema(), NumberSchema(), BooleanSchema()])
)

/** What a form asks. */
export const form = lazy(() => ({
  mode: optional(Schema.Literal("form")),
  message: Schema.String,
  requestedSchema: Schema.Struct({
    $schema: optionalString(),
    type: Schema.Literal("object"),
    properties: Schema.Record(Schema.String, PrimitiveSchemaDefinition()),
    required: optional(strings())
  })
}))

/** Where a user is sent. */
export const page = lazy(() => ({ mode: Schema.Literal("url"), message: Schema.String, url: Schema.String }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#elicitrequestformparams */
export const ElicitRequestFormParams = lazy(() => Schema.Struct({ ...TaskAugmentedRequestParams().fields, ...form() }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#elicitrequesturlparams */
export const ElicitRequestURLParams = lazy(() =>
  Schema.Struct({ ...TaskAugmentedRequestParams().fields, ...page(), elicitationId: Schema.String })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#elicitrequestparams */
export const ElicitRequestParams = lazy(() => Schema.Union([ElicitRequestFormParams(), ElicitRequestURLParams()]))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#elicitrequest */
export const ElicitRequest = request("elicitation/create", ElicitRequestParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#elicitresult */
export const ElicitResult = lazy(() =>
  Schema.Struct({
    ...ElicitResult_2025_06_18().fields,
    content: optional(Schema.Record(Schema.String, Schema.Union([values(), strings()])))
  })
)

const completeParams = lazy(() => Schema.Struct({ elicitationId: Schema.String }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#elicitationcompletenotification */
export const ElicitationCompleteNotification = notification("notifications/elicitation/complete", completeParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error */
export const URLElicitationRequiredError = errorResponse(
  lazy(() =>
    Schema.Struct({
      ...Error().fields,
      code: Schema.Literal(-32042),
      data: Schema.Struct({ elicitations: Schema.Array(ElicitRequestURLParams()) })
    })
  )
)

/** Sending to a page needs an id that says when it is done. @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation */
export const elicit: QuestionCodec<
  Questions["elicitation/create"]["params"],
  Questions["elicitation/create"]["result"]
> = {
  decodeParams: paramsChecker(ElicitRequestParams),
  encodeParams: (params) =>
    params.mode === "url" && params.elicitationId === undefined
      ? new Invalid("elicitationId is missing, which this revision requires")
      : asItIs(params),
  decodeResult: checker(ElicitResult),
  encodeResult: asItIs
}

/** @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#completion-notifications-for-url-mode-elicitation */
export const elicitationComplete: NotificationCodec<Notifications["notifications/elicitation/complete"]> = {
  decodeParams: checker(completeParams),
  encodeParams: asItIs
}
