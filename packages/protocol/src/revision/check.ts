import * as Exit from "effect/Exit"
import type * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { Invalid } from "./Revision.ts"

/** Makes a value when it is first asked for: a schema costs more to build than a start-up should. */
export const lazy = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => (made ??= make())
}

/** The peer may have chosen a name: one that is long, or not plain, is not repeated. */
const nameOf = (key: PropertyKey): string => {
  if (typeof key === "number") return `[${key}]`
  const name = String(key)
  return /^[\w$-]{1,64}$/.test(name) ? `.${name}` : "[…]"
}

const pathOf = (issue: SchemaIssue.Issue): string => {
  switch (issue._tag) {
    case "Pointer":
      return issue.path.map(nameOf).join("") + pathOf(issue.issue)
    case "Composite":
    case "AnyOf": {
      const [first] = issue.issues
      return first === undefined ? "" : pathOf(first)
    }
    case "Filter":
    case "Encoding":
      return pathOf(issue.issue)
    default:
      return ""
  }
}

/**
 * Checks values against a schema and keeps them as they are, members that the schema does not know included. `isPlain`
 * tells the commonest of the values that fit, for less than the schema costs.
 */
export const checker = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: () => S,
  isPlain: (value: unknown) => value is S["Type"] = (_value): _value is S["Type"] => false
) => {
  const tools = lazy(() => ({ is: SchemaParser.is(schema()), decode: SchemaParser.decodeUnknownExit(schema()) }))
  return (value: unknown): S["Type"] | Invalid => {
    if (isPlain(value)) return value
    const { decode, is } = tools()
    if (is(value)) return value
    const exit = decode(value)
    const failed = Exit.isFailure(exit) ? exit.cause.reasons.find((reason) => reason._tag === "Fail") : undefined
    return new Invalid(`${failed === undefined ? "" : pathOf(failed.error) || "the value"} is not as the schema says`)
  }
}
