import * as Schema from "effect/Schema"
import { Options } from "./options.ts"
import { Step } from "./steps.ts"

const optional = Schema.optionalKey
const Anything = Schema.Record(Schema.String, Schema.Unknown)

const Url = Schema.Struct({ url: Schema.String })

const Command = Schema.Struct({
  command: Schema.NonEmptyArray(Schema.String),
  env: optional(Schema.Record(Schema.String, Schema.String)),
  cwd: optional(Schema.String)
})

/** What the host answers; `error` makes it fail, and what is missing is not offered. */
const Answers = Schema.Struct({
  elicitation: optional(Anything),
  sampling: optional(Anything),
  roots: optional(Schema.Union([Schema.Array(Anything), Anything]))
})

const Script = Schema.Struct({
  /** What is to be reached, and how. */
  target: Schema.Union([Url, Command]),
  era: optional(Schema.Literals(["auto", "modern", "legacy"])),
  revision: optional(Schema.String),
  options: optional(Options),
  answers: optional(Answers),
  steps: Schema.Array(Schema.Unknown)
})

export interface Script extends Omit<typeof Script.Type, "steps"> {
  readonly steps: ReadonlyArray<Step>
}

/** A script that cannot be run: nothing of it was done. */
export class ScriptError extends Error {}

const toHead = Schema.decodeUnknownSync(Script, { onExcessProperty: "error" })
const toStep = Schema.decodeUnknownSync(Step)

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Says of a target of another kind that there is none, and names it. */
const requireKind = (script: unknown): void => {
  const target = isObject(script) && "target" in script ? script.target : undefined
  if (!isObject(target) || "url" in target || "command" in target) return
  const kinds = Object.keys(target).map((kind) => JSON.stringify(kind))
  throw new ScriptError(`no target of this kind can be reached: ${kinds.join(", ")}; there are "url" and "command"`)
}

/** Runs what reads or builds a script; whatever it throws is a fault of the script. */
export const reading = <A>(what: string, read: () => A): A => {
  try {
    return read()
  } catch (error) {
    if (error instanceof ScriptError) throw error
    throw new ScriptError(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The script that a text holds; a name that is none, a step that lacks something and the like throw a `ScriptError`. */
export const read = (text: string): Script => {
  const json: unknown = reading("the script is no JSON", () => JSON.parse(text))
  requireKind(json)
  const head = reading("the script cannot be read", () => toHead(json))
  return { ...head, steps: head.steps.map((step, at) => reading(`step ${at + 1} cannot be read`, () => toStep(step))) }
}
