import * as Schema from "effect/Schema"
import { Options } from "./options.ts"
import { Step } from "./steps.ts"
import { faultOf, Target } from "./targets.ts"

const optional = Schema.optionalKey
const Anything = Schema.Record(Schema.String, Schema.Unknown)

/** What the host answers; `error` makes it fail, and what is missing is not offered. */
const Answers = Schema.Struct({
  elicitation: optional(Anything),
  sampling: optional(Anything),
  roots: optional(Schema.Union([Schema.Array(Anything), Anything]))
})

const Script = Schema.Struct({
  /** What is to be reached, and how. */
  target: Target,
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

const quote = (name: string): string => JSON.stringify(name)

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Options that a target has no way to take. */
const untaken: { readonly [kind: string]: ReadonlyArray<keyof Options> } = {
  config: ["reconnect", "graceMs", "stderrBytes", "mailbox", "mailboxBytes", "unread"]
}

/** Refuses what would otherwise be left undone without a word. */
const requireTaken = ({ options = {}, target }: Pick<Script, "options" | "target">): void => {
  const left = Object.keys(target).flatMap((kind) => untaken[kind] ?? [])
  const given = left.filter((name) => options[name] !== undefined)
  if (given.length > 0) throw new ScriptError(`a configuration takes no option ${given.map(quote).join(", ")}`)
  if ("sse" in target && options.headers !== undefined && options.apiKey !== undefined) {
    throw new ScriptError("over HTTP+SSE it is either headers or apiKey")
  }
}

/** Refuses what is not told well by a schema. */
const requireShape = (script: unknown): void => {
  if (!isObject(script)) return
  const fault = faultOf("target" in script ? script.target : undefined)
  if (fault !== undefined) throw new ScriptError(fault)
  if ("options" in script && isObject(script.options) && Object.hasOwn(script.options, "auth")) {
    throw new ScriptError('the option "auth" cannot be used, since nothing here signs in: give headers or apiKey')
  }
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
  requireShape(json)
  const head = reading("the script cannot be read", () => toHead(json))
  requireTaken(head)
  return { ...head, steps: head.steps.map((step, at) => reading(`step ${at + 1} cannot be read`, () => toStep(step))) }
}
