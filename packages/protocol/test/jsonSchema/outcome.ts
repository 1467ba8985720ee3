import * as JsonSchema from "@effective-mcp/protocol/json-schema"
import * as Result from "effect/Result"

type Schema = Parameters<typeof JsonSchema.compile>[0]

/** How a check ended: what is wrong is `["path", "keyword"]`, a bound that was reached is its name. */
export type Outcome =
  | "fits"
  | ReadonlyArray<readonly [path: string, keyword: string]>
  | "steps"
  | "depth"
  | "patterns"
  | "match"

export const compiled = (schema: Schema, options?: JsonSchema.CompileOptions): JsonSchema.Compiled =>
  Result.getOrThrow(JsonSchema.compile(schema, options))

export const errorOf = (schema: Schema, value: unknown, options?: JsonSchema.CompileOptions): JsonSchema.ValueError =>
  Result.getOrThrow(Result.flip(compiled(schema, options).check(value)))

export const outcome = (schema: Schema, value: unknown, options?: JsonSchema.CompileOptions): Outcome => {
  const result = compiled(schema, options).check(value)
  if (Result.isSuccess(result)) return "fits"
  const { reason } = result.failure
  return reason._tag === "WorkExceeded" ? reason.what : reason.failures.map(({ keyword, path }) => [path, keyword])
}

export const fits = (schema: Schema, value: unknown, options?: JsonSchema.CompileOptions): boolean =>
  outcome(schema, value, options) === "fits"

/** Why a schema is refused; undefined when it is not. */
export const refusal = (schema: unknown, options?: JsonSchema.CompileOptions): JsonSchema.SchemaReason | undefined => {
  const given = schema as Schema // cast: hostile schemas are what is tested
  const result = JsonSchema.compile(given, options)
  return Result.isFailure(result) ? result.failure.reason : undefined
}

/** Each `$schema`, and none. */
export const dialects = {
  "draft-07": "http://json-schema.org/draft-07/schema#",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "2020-12": "https://json-schema.org/draft/2020-12/schema"
} as const

export type DialectName = keyof typeof dialects

export const every: ReadonlyArray<DialectName> = ["draft-07", "2019-09", "2020-12"]
export const later: ReadonlyArray<DialectName> = ["2019-09", "2020-12"]

export const withDialect = (name: DialectName, schema: object): Schema => ({ $schema: dialects[name], ...schema })

/** What follows a condition that holds. Written as text: an object literal with this member reads as a promise. */
export const next = (schema: unknown): object => JSON.parse(`{"then":${JSON.stringify(schema)}}`)
