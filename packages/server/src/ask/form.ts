import type { ElicitResult, FormSchema } from "@effective-mcp/protocol"
import { JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { ofObject, reader, type StandardInput } from "../Input.ts"
import { requireField, toField } from "./field.ts"

/** The fields of a form, by name. */
export type Fields = { readonly [name: string]: Schema.ConstraintDecoder<unknown> }

/** Checks what was filled in; fails with where it does not fit. */
export type Reading<A> = (content: NonNullable<ElicitResult["content"]>) => Effect.Effect<A, string>

/** A form as it is asked, and how what was filled in is read. */
export interface Described {
  readonly requestedSchema: FormSchema
  readonly reading: Reading<unknown>
}

/** The first field that does not fit; fields have the author's names. */
const fieldOf = (issue: unknown): string | undefined => {
  if (!SchemaIssue.isIssue(issue)) return undefined
  switch (issue._tag) {
    case "Pointer":
      return String(issue.path[0])
    case "Composite":
      return fieldOf(issue.issues[0])
    case "Filter":
    case "Encoding":
      return fieldOf(issue.issue)
    default:
      return undefined
  }
}

const unfit = (field: string | undefined): string =>
  field === undefined ? "what was filled in does not fit the form" : `the field ${JSON.stringify(field)} does not fit`

const asForm = ({ $defs, properties, required }: JsonRpc.JsonObject): FormSchema => {
  const asked = Object.entries(JsonRpc.isObject(properties) ? properties : {}).map(
    ([name, schema]) => [name, toField(name, schema, $defs)] as const
  )
  return {
    type: "object",
    properties: Object.fromEntries(asked),
    ...(Array.isArray(required) && required.length > 0 ? { required } : undefined)
  }
}

/** A form made of Effect Schemas, which read what was filled in as well. */
export const fromFields = (fields: Fields): Described => {
  for (const [name, field] of Object.entries(fields)) {
    if (!Schema.isSchema(field)) throw new Error(`the field ${JSON.stringify(name)} is no Effect Schema`)
  }
  const read = reader(fields as Schema.Struct.Fields, "input") // cast: each field has just been seen to be a schema
  return {
    requestedSchema: asForm(read.jsonSchema()),
    reading: (content) =>
      Effect.mapError(read.decode(content) as Effect.Effect<unknown, unknown>, (issue) => unfit(fieldOf(issue))) // cast: fields need no services
  }
}

/** A form made of a schema of another library, which reads what was filled in as well. */
export const fromStandard = ({ "~standard": standard }: StandardInput): Described => {
  const requestedSchema = asForm(ofObject(standard.jsonSchema.input({ target: "draft-2020-12" })))
  const fieldAt = (path: ReadonlyArray<unknown> = []): string | undefined => {
    const [first] = path
    const name = String(typeof first === "object" && first !== null && "key" in first ? first.key : first)
    return Object.hasOwn(requestedSchema.properties, name) ? name : undefined
  }
  return {
    requestedSchema,
    reading: (content) =>
      Effect.flatMap(
        Effect.promise(async () => standard.validate(content)),
        (result) =>
          result.issues === undefined
            ? Effect.succeed(result.value)
            : Effect.fail(unfit(fieldAt(result.issues[0]?.path)))
      )
  }
}

/** A form whose JSON Schema an author has written. */
export const fromSchema = (requestedSchema: FormSchema): Described => {
  if (!JsonRpc.isObject(requestedSchema.properties)) throw new Error("a form has properties")
  for (const [name, field] of Object.entries(requestedSchema.properties)) requireField(name, field)
  const schema = { ...requestedSchema }
  return {
    requestedSchema,
    reading: (content) =>
      Effect.flatMap(
        Effect.promise(() => import("@effective-mcp/protocol/json-schema")),
        ({ compile }) => {
          const checked = compile(schema)
          if (Result.isFailure(checked)) return Effect.die(checked.failure)
          const result = checked.success.check(content)
          if (Result.isSuccess(result)) return Effect.succeed(content)
          const { reason } = result.failure
          const path = reason._tag === "Mismatch" ? reason.failures[0]?.path.split("/")[1] : undefined
          return Effect.fail(unfit(path))
        }
      )
  }
}
