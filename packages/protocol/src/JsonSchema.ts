import * as Result from "effect/Result"
import type { JsonObject } from "./JsonRpc.ts"
import { build } from "./jsonSchema/build.ts"
import { MATCH } from "./jsonSchema/pattern.ts"
import { type Bounds, type Check, Exceeded, Run } from "./jsonSchema/Run.ts"
import { SchemaError } from "./jsonSchema/SchemaError.ts"
import { Fault } from "./jsonSchema/Site.ts"
import { ValueError } from "./jsonSchema/ValueError.ts"
import { limits, requireCounts } from "./Limits.ts"

export {
  type BadPattern,
  type Invalid,
  SchemaError,
  type SchemaReason,
  type TooDeep,
  type TooLarge,
  type UnknownDialect,
  type Unresolvable
} from "./jsonSchema/SchemaError.ts"
export {
  type Failure,
  type Mismatch,
  ValueError,
  type ValueReason,
  type WorkExceeded
} from "./jsonSchema/ValueError.ts"

/** A schema that has been read, ready to check any number of values. */
export interface Compiled {
  /** Gives back the value itself when it is as the schema says, else fails with what is wrong. */
  readonly check: (value: unknown) => Result.Result<unknown, ValueError>
}

export interface CompileOptions {
  /** Levels of subschemas. Default 64. */
  readonly depth?: number | undefined
  /** Subschemas in all. Default 10,000. */
  readonly subschemas?: number | undefined
  /** Steps of one check: a schema applied to a value is one, a member or an item looked at another. Default 2,000,000. */
  readonly steps?: number | undefined
  /** Milliseconds that one check may spend on matching patterns. Default 250. */
  readonly patternMs?: number | undefined
  /** Schemas that references may lead to, by URI. Nothing is ever fetched. */
  readonly documents?: { readonly [uri: string]: JsonObject | boolean } | undefined
}

/** Schemas applied within each other while a value is checked, references included. */
const RUN_DEPTH = 512

/** Which bound a check ran into. The stack may be nearly used up where it starts. */
const exceeded = (thrown: unknown): Exceeded | undefined => {
  if (thrown instanceof Exceeded) return thrown
  return thrown instanceof RangeError ? new Exceeded("depth") : undefined
}

const check = (whole: Check, value: unknown, bounds: Bounds): Result.Result<unknown, ValueError> => {
  const run = new Run(bounds)
  try {
    if (whole(value, run)) return Result.succeed(value)
    // most values fit, and only those that do not pay for saying why
    const second = new Run({ ...bounds, patternMs: run.patternMs })
    const failures = second.collect(whole, value)
    return Result.fail(new ValueError({ reason: { _tag: "Mismatch", failures, more: second.more } }))
  } catch (thrown) {
    const bound = exceeded(thrown)
    if (bound === undefined) throw thrown
    const { depth, patternMs, steps } = bounds
    const limit = { steps, depth, patterns: patternMs, match: MATCH }[bound.what]
    return Result.fail(new ValueError({ reason: { _tag: "WorkExceeded", what: bound.what, limit } }))
  }
}

const compileAnew = (schema: JsonObject | boolean, options: CompileOptions): Result.Result<Compiled, SchemaError> => {
  const { depth = limits.schemaDepth, subschemas = limits.subschemas, documents = {} } = options
  const { patternMs = limits.patternMs, steps = limits.schemaSteps } = options
  requireCounts({ depth, subschemas, patternMs, steps })
  try {
    const whole = build(schema, { depth, subschemas, documents })
    const bounds = { steps, patternMs, depth: RUN_DEPTH }
    return Result.succeed({ check: (value) => check(whole, value, bounds) })
  } catch (thrown) {
    if (thrown instanceof Fault) return Result.fail(new SchemaError({ reason: thrown.reason }))
    throw thrown
  }
}

const cache = new WeakMap<object, Result.Result<Compiled, SchemaError>>()

/**
 * Reads a JSON Schema of the dialects 2020-12 (where `$schema` is absent), 2019-09 and draft-07. The schema may come from an
 * untrusted peer: no code is generated, nothing is fetched, patterns match in linear time, and everything is bounded. `format`
 * and the `content…` keywords say nothing about whether a value fits.
 *
 * Without options the answer is kept for as long as the schema object, which must not change after that.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 */
export const compile = (
  schema: JsonObject | boolean,
  options?: CompileOptions
): Result.Result<Compiled, SchemaError> => {
  if (options !== undefined || typeof schema !== "object" || schema === null) return compileAnew(schema, options ?? {})
  const known = cache.get(schema)
  if (known !== undefined) return known
  const compiled = compileAnew(schema, {})
  cache.set(schema, compiled)
  return compiled
}
