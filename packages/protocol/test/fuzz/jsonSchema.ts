import assert from "node:assert/strict"
import * as JsonSchema from "@effective-mcp/protocol/json-schema"
import * as Result from "effect/Result"
import type fc from "fast-check"
import { fits } from "./plainKeywords.ts"
import { plain, type Schema, valueFor, wild } from "./schemas.ts"
import { type Tape, taped } from "./Tape.ts"
import { check, several, target } from "./Target.ts"
import { expectNoPollution, json, SECRET } from "./values.ts"

interface Input<S> {
  readonly schema: S
  readonly value: unknown
}

const steps = 20_000
const reasons = ["UnknownDialect", "Unresolvable", "BadPattern", "TooDeep", "TooLarge", "Invalid"]

const encoder = new TextEncoder()

/** Says what came of a check: undefined when a bound was reached. A report repeats the schema, never the value. */
const expectAnswer = ({ check, schema, value }: Input<unknown> & JsonSchema.Compiled): boolean | undefined => {
  const answer = check(value)
  if (Result.isSuccess(answer)) {
    assert.equal(answer.success, value)
    return true
  }
  const { message, reason } = answer.failure
  assert(encoder.encode(message).length <= 4_096)
  if (reason._tag === "WorkExceeded") return undefined
  assert(reason.failures.length > 0 && reason.failures.length <= 20)
  assert(!message.includes(SECRET) || JSON.stringify(schema).includes(SECRET))
  for (const failure of reason.failures) assert(failure.path === "" || failure.path.startsWith("/"))
  return false
}

const inputs = <S>(make: (tape: Tape) => S): fc.Arbitrary<Input<S>> =>
  taped(100, (tape) => {
    const rest = tape.cut(30)
    const schema = make(tape)
    return { schema, value: valueFor(rest, schema, 3) }
  })

/** Any schema and value have a typed answer within the bounds, and the right one where that is plain. */
export const jsonSchema = target(
  "jsonSchema",
  several(
    check(
      "plain keywords",
      inputs((tape) => plain(tape, 3)),
      ({ schema, value }) => {
        const compiled = Result.getOrThrow(JsonSchema.compile(schema, {}))
        assert.equal(expectAnswer({ ...compiled, schema, value }), fits(schema, value))
        expectNoPollution()
      }
    ),
    check(
      "any schema",
      inputs((tape) => (tape.once(20) ? json(tape) : wild(tape, 4))),
      ({ schema, value }) => {
        // cast: hostile schemas are what is tested
        const compiled = JsonSchema.compile(schema as Schema, { steps })
        if (Result.isFailure(compiled)) {
          assert(reasons.includes(compiled.failure.reason._tag))
          assert(compiled.failure.message.length < 10_000)
        } else {
          const first = expectAnswer({ ...compiled.success, schema, value })
          const second = expectAnswer({ ...compiled.success, schema, value })
          assert(first === second || first === undefined || second === undefined)
        }
        expectNoPollution()
      }
    )
  ),
  ({ holds }) => holds()
)
