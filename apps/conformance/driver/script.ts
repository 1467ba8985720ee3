import * as Schema from "effect/Schema"

const optional = Schema.optionalKey
const Anything = Schema.Record(Schema.String, Schema.Unknown)

/** What is to be reached, and how. */
const Target = Schema.Union([
  Schema.Struct({ url: Schema.String }),
  Schema.Struct({
    command: Schema.NonEmptyArray(Schema.String),
    env: optional(Schema.Record(Schema.String, Schema.String)),
    cwd: optional(Schema.String)
  })
])

const Options = Schema.Struct({
  requestTimeoutMs: optional(Schema.Finite),
  totalTimeoutMs: optional(Schema.Finite),
  probeMs: optional(Schema.Finite),
  maxMessageBytes: optional(Schema.Int),
  headers: optional(Schema.Record(Schema.String, Schema.String)),
  cache: optional(Schema.Boolean),
  retry: optional(Schema.Union([Schema.Boolean, Schema.Int])),
  recover: optional(Schema.Boolean),
  pages: optional(Schema.Int)
})

/** What the host answers; `error` makes it fail, and what is missing is not offered. */
const Answers = Schema.Struct({
  elicitation: optional(Anything),
  sampling: optional(Anything),
  roots: optional(Schema.Union([Schema.Array(Anything), Anything]))
})

/** One thing to do: `op` says what, the rest is what it needs. */
export interface Step {
  readonly op: string
  readonly timeoutMs?: number
  readonly progress?: boolean
  readonly all?: boolean
  readonly [detail: string]: unknown
}

const isStep = (value: unknown): value is Step =>
  typeof value === "object" && value !== null && "op" in value && typeof value.op === "string"

const Script = Schema.Struct({
  target: Target,
  era: optional(Schema.Literals(["auto", "modern", "legacy"])),
  revision: optional(Schema.String),
  options: optional(Options),
  answers: optional(Answers),
  steps: Schema.Array(Schema.declare(isStep))
})

export type Script = typeof Script.Type

export const read = (text: string): Script =>
  Schema.decodeUnknownSync(Script)(JSON.parse(text), { onExcessProperty: "error" })
