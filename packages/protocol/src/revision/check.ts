import * as Exit from "effect/Exit"
import type * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type { JsonObject } from "../JsonRpc.ts"
import { paramsOf } from "./project.ts"
import { Invalid, type Warn } from "./Revision.ts"

/** Makes a value when it is first asked for: a schema costs more to build than a start-up should. */
/* @__NO_SIDE_EFFECTS__ */
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

/** Where something is wrong, and whether it is that nothing stands there. */
interface Fault {
  readonly path: string
  readonly isMissing: boolean
}

/** Whether the fault is in what tells the alternatives of a union apart. */
const isTelltale = ({ path }: Fault): boolean => path === ".type" || path === ".mode"

const nowhere: Fault = { path: "", isMissing: false }

const faultOf = (issue: SchemaIssue.Issue): Fault => {
  switch (issue._tag) {
    case "Pointer": {
      const { isMissing, path } = faultOf(issue.issue)
      return { path: issue.path.map(nameOf).join("") + path, isMissing }
    }
    case "Composite": {
      const [first] = issue.issues
      return first === undefined ? nowhere : faultOf(first)
    }
    case "AnyOf": {
      const faults = issue.issues.map(faultOf)
      // the alternative that was meant has its telltale, and best all that it must have
      const meant = faults.filter((fault) => !isTelltale(fault) && fault.path !== "")
      return meant.find(({ isMissing }) => !isMissing) ?? meant[0] ?? faults[0] ?? nowhere
    }
    case "Filter":
    case "Encoding":
      return faultOf(issue.issue)
    case "MissingKey":
      return { path: "", isMissing: true }
    default:
      return nowhere
  }
}

/** A schema of what comes off a wire, made when it is first needed. */
export type Wire<A> = () => Schema.ConstraintDecoder<A>

const examine = <A>(schema: Wire<A>) =>
  lazy(() => ({ is: SchemaParser.is(schema()), decode: SchemaParser.decodeUnknownExit(schema()) }))

const invalid = (value: unknown, decode: (value: unknown) => Exit.Exit<unknown, SchemaIssue.Issue>): Invalid => {
  const exit = decode(value)
  const failed = Exit.isFailure(exit) ? exit.cause.reasons.find((reason) => reason._tag === "Fail") : undefined
  return new Invalid(
    `${failed === undefined ? "" : faultOf(failed.error).path || "the value"} is not as the schema says`
  )
}

/**
 * Checks values against a schema and keeps them as they are, members that the schema does not know included. `isPlain`
 * tells the commonest of the values that fit, for less than the schema costs.
 */
/* @__NO_SIDE_EFFECTS__ */
export const checker = <A>(
  schema: Wire<A>,
  isPlain: (value: unknown) => value is NoInfer<A> = (_value): _value is A => false
): ((value: unknown) => A | Invalid) => {
  const tools = examine(schema)
  return (value) => {
    if (isPlain(value)) return value
    const { decode, is } = tools()
    return is(value) ? value : invalid(value, decode)
  }
}

/** What is wrong with a value that stands somewhere. */
const placed = (place: string, { detail }: Invalid): string => place + detail.replace(/^the value/, "")

/** Checks the params of a request, and gives them without what travels with every request. */
/* @__NO_SIDE_EFFECTS__ */
export const paramsChecker = <A extends object>(
  schema: Wire<A>,
  isPlain?: (value: unknown) => value is NoInfer<A>
): ((wire: JsonObject) => A | Invalid) => {
  const check = checker(schema, isPlain)
  return (wire) => {
    const params = check(wire)
    return params instanceof Invalid ? params : paramsOf(params)
  }
}

/** How many entries that were left out are told of one by one. */
const TOLD = 8

/**
 * Checks a list. Entries under `key` that are not what `item` says hide no others: they are left out of a copy, and
 * `warn` hears of them.
 */
/* @__NO_SIDE_EFFECTS__ */
export const listChecker = <A>(
  schema: Wire<A>,
  key: string,
  item: Wire<unknown>
): ((value: JsonObject, warn?: Warn) => A | Invalid) => {
  const tools = examine(schema)
  const one = examine(item)
  return (value, warn) => {
    const { decode, is } = tools()
    if (is(value)) return value
    const entries = value[key]
    if (!Array.isArray(entries)) return invalid(value, decode)
    const kept = entries.filter(one().is)
    const list: unknown = { ...value, [key]: kept }
    if (!is(list)) return invalid(list, decode)
    if (warn !== undefined) {
      let told = 0
      for (const [index, entry] of entries.entries()) {
        if (told === TOLD) break
        if (one().is(entry)) continue
        warn(placed(`.${key}[${index}]`, invalid(entry, one().decode)))
        told++
      }
      const left = entries.length - kept.length - told
      if (left > 0) warn(`${left} more of .${key} are not as the schema says`)
    }
    return list
  }
}
