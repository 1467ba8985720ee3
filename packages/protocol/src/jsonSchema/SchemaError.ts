import * as Data from "effect/Data"

/** `$schema` names a dialect that is not known. */
export interface UnknownDialect {
  readonly _tag: "UnknownDialect"
  readonly dialect: string
}

/** A reference leads nowhere, or out of the schema: nothing is ever fetched. */
export interface Unresolvable {
  readonly _tag: "Unresolvable"
  readonly at: string
  readonly ref: string
}

/** A pattern is no regular expression, or one that cannot be matched in linear time. */
export interface BadPattern {
  readonly _tag: "BadPattern"
  readonly at: string
  readonly detail: string
}

/** Subschemas are nested more than `limit` deep. */
export interface TooDeep {
  readonly _tag: "TooDeep"
  readonly limit: number
}

/** There are more than `limit` subschemas. */
export interface TooLarge {
  readonly _tag: "TooLarge"
  readonly limit: number
}

/** A keyword holds what its dialect does not allow. */
export interface Invalid {
  readonly _tag: "Invalid"
  readonly at: string
  readonly detail: string
}

/** Why a schema cannot be used; `at` is a JSON pointer into it. */
export type SchemaReason = UnknownDialect | Unresolvable | BadPattern | TooDeep | TooLarge | Invalid

const describe = (reason: SchemaReason): string => {
  switch (reason._tag) {
    case "UnknownDialect":
      return `its dialect is not supported: ${reason.dialect}`
    case "Unresolvable":
      return `${reason.at} refers to ${reason.ref}, which is not in the schema; nothing is fetched`
    case "BadPattern":
      return `the pattern of ${reason.at} is refused: ${reason.detail}`
    case "TooDeep":
      return `it is nested more than ${reason.limit} schemas deep`
    case "TooLarge":
      return `it has more than ${reason.limit} subschemas`
    case "Invalid":
      return `${reason.at} ${reason.detail}`
  }
}

/** A schema cannot be used. Match on `reason._tag`; the message is for people and may change. */
export class SchemaError extends Data.TaggedError("SchemaError")<{ readonly reason: SchemaReason }> {
  override get message(): string {
    return `the JSON Schema cannot be used: ${describe(this.reason)}`
  }
}
