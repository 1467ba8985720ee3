import * as Schema from "effect/Schema"
import type { ElicitFormParams, ElicitParams, ElicitResult as Elicited, FormField } from "../../model/elicitation.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { meta, optional, optionalBoolean, optionalInteger, optionalNumber, optionalString, strings } from "../fields.ts"
import { asItIs, omit } from "../project.ts"
import { Invalid, type QuestionCodec } from "../Revision.ts"
import { message } from "../v2024_11_05/jsonrpc.ts"

/** How a field of a form is shown. */
export const labels = lazy(() => ({ title: optionalString(), description: optionalString() }))

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#stringschema */
export const StringSchema = lazy(() =>
  Schema.Struct({
    type: Schema.Literal("string"),
    ...labels(),
    minLength: optionalInteger(),
    maxLength: optionalInteger(),
    format: optional(Schema.Literals(["email", "uri", "date", "date-time"]))
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#numberschema */
export const NumberSchema = lazy(() =>
  Schema.Struct({
    type: Schema.Literals(["number", "integer"]),
    ...labels(),
    minimum: optionalNumber(),
    maximum: optionalNumber()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#booleanschema */
export const BooleanSchema = lazy(() =>
  Schema.Struct({ type: Schema.Literal("boolean"), ...labels(), default: optionalBoolean() })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#enumschema */
export const EnumSchema = lazy(() =>
  Schema.Struct({
    type: Schema.Literal("string"),
    ...labels(),
    enum: strings(),
    enumNames: optional(strings())
  })
)

/** The one with most members that must be there goes first. @see https://modelcontextprotocol.io/specification/2025-06-18/schema#primitiveschemadefinition */
export const PrimitiveSchemaDefinition = lazy(() =>
  Schema.Union([EnumSchema(), StringSchema(), NumberSchema(), BooleanSchema()])
)

const formParams = lazy(() =>
  Schema.Struct({
    message: Schema.String,
    requestedSchema: Schema.Struct({
      type: Schema.Literal("object"),
      properties: Schema.Record(Schema.String, PrimitiveSchemaDefinition()),
      required: optional(strings())
    })
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#elicitrequest */
export const ElicitRequest = message("elicitation/create", formParams)

/** A number that a form asked for may be a fraction. */
export const values = lazy(() => Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]))

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#elicitresult */
export const ElicitResult = lazy(() =>
  Schema.Struct({
    action: Schema.Literals(["accept", "decline", "cancel"]),
    content: optional(Schema.Record(Schema.String, values())),
    ...meta()
  })
)

/** A field as this revision has it; undefined when there is no such field. */
const encodeField = (field: FormField): object | undefined => {
  if (field.type === "boolean") return field
  if (field.type === "array") return undefined
  if (!("oneOf" in field)) return omit(field, ["default"])
  const { oneOf, ...rest } = omit(field, ["default"])
  return {
    ...rest,
    enum: oneOf.map((option) => option.const),
    enumNames: oneOf.map(({ title }) => title)
  }
}

const encodeForm = (params: ElicitFormParams): object | Invalid => {
  const { message, requestedSchema } = params
  const fields = Object.entries(requestedSchema.properties).map(([name, field]) => [name, encodeField(field)] as const)
  const lost = fields.find(([name, field]) => field === undefined && requestedSchema.required?.includes(name))
  if (lost !== undefined)
    return new Invalid("a required field takes several values, which cannot be asked in this revision")
  return {
    message,
    requestedSchema: {
      ...omit(requestedSchema, ["$schema"]),
      properties: Object.fromEntries(fields.filter(([, field]) => field !== undefined))
    }
  }
}

/**
 * Fields have no defaults here, but for booleans, and take one value: one that takes several is left out unless it is
 * required. There is no sending to a page.
 *
 * @see https://modelcontextprotocol.io/specification/2025-06-18/client/elicitation
 */
export const elicit: QuestionCodec<ElicitParams, Elicited> = {
  decodeParams: paramsChecker(formParams),
  encodeParams: (params) => {
    if (params.mode === "url") return new Invalid("a user cannot be sent to a page in this revision")
    const form = encodeForm(params)
    return form instanceof Invalid ? form : asItIs(form)
  },
  decodeResult: checker(ElicitResult),
  encodeResult: ({ content, ...result }) =>
    content === undefined
      ? result
      : {
          ...result,
          content: Object.fromEntries(Object.entries(content).filter(([, value]) => !Array.isArray(value)))
        }
}
