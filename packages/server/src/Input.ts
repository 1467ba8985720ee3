import type { JsonRpc } from "@effective-mcp/protocol"
import type * as JsonSchema from "effect/JsonSchema"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "effect/StandardSchema"

/** A schema of another library that can both check a value and describe itself as JSON Schema (zod 4, arktype, …). */
export interface StandardInput<Output = unknown> {
  readonly "~standard": StandardSchemaV1<unknown, Output>["~standard"] &
    StandardJSONSchemaV1<unknown, Output>["~standard"]
}

/** What describes a tool's arguments or its structured result: Effect Schema fields, an Effect Schema, a Standard Schema. */
export type Input = Schema.Struct.Fields | Schema.Constraint | StandardInput

/** What a value is once it has been checked. */
export type Output<I> = I extends Schema.Constraint
  ? I["Type"]
  : I extends { readonly "~standard": { readonly types?: infer T } }
    ? NonNullable<T> extends { readonly output: infer O }
      ? O
      : never
    : I extends Schema.Struct.Fields
      ? Schema.Struct.Type<I>
      : never

/** What decoding and encoding a value needs. */
export type Services<I> = I extends Schema.Constraint
  ? I["DecodingServices"] | I["EncodingServices"]
  : I extends { readonly "~standard": unknown }
    ? never
    : I extends Schema.Struct.Fields
      ? Schema.Struct.DecodingServices<I> | Schema.Struct.EncodingServices<I>
      : never

/** Why a value does not fit, in words for the one who sent it. */
export class Mismatch {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** One description, read in the three ways a server needs. */
export interface Reader {
  readonly jsonSchema: () => JsonRpc.JsonObject
  readonly decode: (value: unknown) => Effect.Effect<unknown, Mismatch, unknown>
  readonly encode: (value: unknown) => Effect.Effect<unknown, Mismatch, unknown>
}

const isStandard = (input: Input): input is StandardInput => "~standard" in input

const issueText = SchemaIssue.makeFormatterDefault()

/** `$defs` take in the definitions that the document keeps beside its schema. */
const inline = ({ definitions, schema }: JsonSchema.Document<"draft-2020-12">): JsonRpc.JsonObject =>
  Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions }

/** A schema that only objects fit, as the protocol asks of arguments. */
export const ofObject = (schema: JsonRpc.JsonObject): JsonRpc.JsonObject =>
  schema.type === "object" ? schema : { type: "object", ...schema }

const fromSchema = (schema: Schema.ConstraintCodec<unknown, unknown, unknown, unknown>): Reader => {
  const decode = SchemaParser.decodeUnknownEffect(schema, { errors: "all" })
  const encode = SchemaParser.encodeUnknownEffect(schema, { errors: "all" })
  return {
    jsonSchema: () => inline(Schema.toJsonSchemaDocument(schema)),
    decode: (value) => Effect.mapError(decode(value), (issue) => new Mismatch(issueText(issue))),
    encode: (value) => Effect.mapError(encode(value), (issue) => new Mismatch(issueText(issue)))
  }
}

const fromStandard = ({ "~standard": standard }: StandardInput): Reader => {
  const settle = (result: StandardSchemaV1.Result<unknown>): Effect.Effect<unknown, Mismatch> =>
    result.issues === undefined
      ? Effect.succeed(result.value)
      : Effect.fail(new Mismatch(result.issues.map(describe).join("\n")))
  const check = (value: unknown): Effect.Effect<unknown, Mismatch> =>
    Effect.suspend(() => {
      const result = standard.validate(value)
      return result instanceof Promise
        ? Effect.flatMap(
            Effect.promise(() => result),
            settle
          )
        : settle(result)
    })
  return {
    jsonSchema: () => standard.jsonSchema.input({ target: "draft-2020-12" }),
    decode: check,
    encode: check
  }
}

const describe = ({ message, path = [] }: StandardSchemaV1.Issue): string => {
  const at = path.map((key) => String(typeof key === "object" ? key.key : key)).join(".")
  return at === "" ? message : `${at}: ${message}`
}

/** Reads a description; what is costly about it is made when first asked for. */
export const reader = (input: Input): Reader =>
  Schema.isSchema(input)
    ? fromSchema(input as never) // cast: services are kept in the tool's own type
    : isStandard(input)
      ? fromStandard(input)
      : fromSchema(Schema.Struct(input as Schema.Struct.Fields) as never) // cast: services are kept in the tool's own type
