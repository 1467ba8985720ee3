import { JsonRpc } from "@effective-mcp/protocol"
import type * as JsonSchema from "effect/JsonSchema"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "effect/StandardSchema"
import { explain, explainIssue, isSmall } from "./explain.ts"

/** A schema of another library that can both check a value and describe itself as JSON Schema (zod 4, arktype, …). */
export interface StandardInput<Output = unknown> {
  readonly "~standard": StandardSchemaV1<unknown, Output>["~standard"] &
    StandardJSONSchemaV1<unknown, Output>["~standard"]
}

/** What describes a value: Effect Schema fields, an Effect Schema, a Standard Schema. */
export type Described = Schema.Struct.Fields | Schema.Constraint | StandardInput

/** What describes a tool's arguments: on the wire they are an object. */
export type Input = Schema.Struct.Fields | (Schema.Constraint & { readonly Encoded: object }) | StandardInput

type Value<I, Side extends "input" | "output"> = I extends Schema.Constraint
  ? I["Type"]
  : I extends { readonly "~standard": { readonly types?: infer T } }
    ? NonNullable<T> extends { readonly [S in Side]: infer A }
      ? A
      : never
    : I extends Schema.Struct.Fields
      ? Schema.Struct.Type<I>
      : never

/** What a value is once it has been checked. */
export type Output<I> = Value<I, "output">

/** What a value is before it is checked, where that is the author's to give: what a tool gives back for its output. */
export type Given<I> = Value<I, "input">

/** What decoding and encoding a value needs. */
export type Services<I> = I extends Schema.Constraint
  ? I["DecodingServices"] | I["EncodingServices"]
  : I extends { readonly "~standard": unknown }
    ? never
    : I extends Schema.Struct.Fields
      ? I[keyof I]["DecodingServices" | "EncodingServices"]
      : never

/** One description, read in the ways a server needs. What it fails with is for `explain` alone. */
export interface Reader {
  readonly jsonSchema: () => JsonRpc.JsonObject
  readonly decode: (value: unknown) => Effect.Effect<unknown, unknown, unknown>
  readonly encode: (value: unknown) => Effect.Effect<unknown, unknown, unknown>
  /** Why a value does not fit, in words for the one who sent it. */
  readonly explain: (failure: unknown) => string
}

/** Which way a description is read: what comes from a caller, or what goes to one. */
export type Side = "input" | "output"

const isStandard = (input: Described): input is StandardInput => "~standard" in input

/** Whether a description is one of no arguments at all. */
export const isNothing = (input: Described): boolean =>
  !Schema.isSchema(input) && !isStandard(input) && Object.keys(input).length === 0

/** Tells an author in plain JavaScript, and at once, what the types would have said. */
export const refuseUnknown = (tool: string, place: string, described: Described | undefined): void => {
  if (described === undefined || Schema.isSchema(described) || isStandard(described)) return
  for (const [key, field] of Object.entries(described)) {
    if (Schema.isSchema(field)) continue
    throw new Error(`${place}.${key} of the tool ${tool} is no Effect Schema; fields of zod belong in z.object({ … })`)
  }
}

const DEFINITION = "#/$defs/"

/**
 * `$defs` take in the definitions that the document keeps beside its schema. A root that only refers to one becomes that
 * one, so that its type can be seen.
 */
const inline = ({ definitions, schema }: JsonSchema.Document<"draft-2020-12">): JsonRpc.JsonObject => {
  const { $ref, ...rest } = schema
  const named = typeof $ref === "string" ? definitions[$ref.slice(DEFINITION.length)] : undefined
  const root = named === undefined ? schema : { ...named, ...rest }
  return JSON.stringify(root).includes(`"${DEFINITION}`) ? { ...root, $defs: definitions } : root
}

/** A schema that only objects fit, as the protocol asks of arguments; one of anything else throws. */
export const ofObject = (schema: JsonRpc.JsonObject): JsonRpc.JsonObject => {
  if (schema.type !== undefined && schema.type !== "object") {
    throw new Error(`arguments are an object, and this input describes: ${JSON.stringify(schema.type)}`)
  }
  return schema.type === "object" ? schema : { type: "object", ...schema }
}

/** The first issue of a value that is too large to be searched for all. */
class First {
  readonly issue: unknown
  constructor(issue: unknown) {
    this.issue = issue
  }
}

type Parse = (value: unknown) => Effect.Effect<unknown, unknown, unknown>

/** Looks for one issue, which costs half and is all that a value that fits needs; then, of a small one, for the others. */
const thorough =
  (first: Parse, all: Parse): Parse =>
  (value) => {
    const parsed = first(value)
    // most are known at once: no fiber has to look
    if (Exit.isExit(parsed) && Exit.isSuccess(parsed)) return parsed
    return parsed.pipe(
      Effect.catch((issue) =>
        isSmall(value) ? Effect.andThen(all(value), Effect.fail(issue)) : Effect.fail(new First(issue))
      )
    )
  }

const explainAny = (failure: unknown): string =>
  SchemaIssue.isIssue(failure) ? explainIssue(failure) : "it could not be decoded"

/** Effect Schema also finds what every object inherits: arguments with such a name are read off an object without. */
const ownOnly = (schema: object): ((value: unknown) => unknown) => {
  const fields = "fields" in schema && typeof schema.fields === "object" && schema.fields !== null ? schema.fields : {}
  return Object.keys(fields).some((name) => name in Object.prototype)
    ? (value) => (JsonRpc.isObject(value) ? Object.assign(Object.create(null), value) : value)
    : (value) => value
}

/** Keywords of nobody's dialect, such as `x-mcp-header`, are annotations of a schema. */
const isOwnKeyword = (key: string): boolean => key.startsWith("x-")

/** Its JSON Schema describes its JSON form, so that form is what is decoded and encoded: a date is a text, for one. */
const fromSchema = (schema: Schema.ConstraintCodec<unknown, unknown, unknown, unknown>): Reader => {
  const codec = Schema.toCodecJson(schema)
  const own = ownOnly(schema)
  const decode = thorough(
    SchemaParser.decodeUnknownEffect(codec),
    SchemaParser.decodeUnknownEffect(codec, { errors: "all" })
  )
  return {
    jsonSchema: () => inline(Schema.toJsonSchemaDocument(schema, { includeAnnotationKey: isOwnKeyword })),
    decode: (value) => decode(own(value)),
    encode: thorough(
      SchemaParser.encodeUnknownEffect(codec),
      SchemaParser.encodeUnknownEffect(codec, { errors: "all" })
    ),
    explain: (failure) =>
      failure instanceof First ? `${explainAny(failure.issue)}\n… and perhaps more` : explainAny(failure)
  }
}

class Issues {
  readonly all: ReadonlyArray<StandardSchemaV1.Issue>
  constructor(all: ReadonlyArray<StandardSchemaV1.Issue>) {
    this.all = all
  }
}

const fromStandard = ({ "~standard": standard }: StandardInput, side: Side): Reader => {
  const settle = (result: StandardSchemaV1.Result<unknown>): Effect.Effect<unknown, Issues> =>
    result.issues === undefined ? Effect.succeed(result.value) : Effect.fail(new Issues(result.issues))
  const check = (value: unknown): Effect.Effect<unknown, Issues> =>
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
    jsonSchema: () => standard.jsonSchema[side]({ target: "draft-2020-12" }),
    decode: check,
    encode: check,
    explain: (failure) => (failure instanceof Issues ? explain(failure.all) : "it could not be checked")
  }
}

/** Reads a description; what is costly about it is made when first asked for. */
export const reader = (input: Described, side: Side): Reader =>
  Schema.isSchema(input)
    ? fromSchema(input as never) // cast: services are kept in the tool's own type
    : isStandard(input)
      ? fromStandard(input, side)
      : fromSchema(Schema.Struct(input as Schema.Struct.Fields) as never) // cast: services are kept in the tool's own type
