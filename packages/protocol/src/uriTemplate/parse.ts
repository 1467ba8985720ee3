import * as Data from "effect/Data"
import { unitAt, lengthAt, encodeReserved, ESCAPED, type Units, unitsOf } from "./characters.ts"

/** How an expression writes its variables; a row of the table in appendix A of RFC 6570. */
export interface Operator {
  /** What stands before the first value, and between two. */
  readonly first: string
  readonly separator: string
  /** Whether values are written as `name=value`, and what follows the name of an empty one. */
  readonly named: boolean
  readonly ifEmpty: "" | "="
  /** Whether reserved characters and escapes stand for themselves. */
  readonly reserved: boolean
}

const operator = (first: string, separator: string, rest: Partial<Operator> = {}): Operator => ({
  first,
  separator,
  named: false,
  ifEmpty: "",
  reserved: false,
  ...rest
})

const simple = operator("", ",")
const operators: ReadonlyMap<string | undefined, Operator> = new Map([
  ["+", operator("", ",", { reserved: true })],
  ["#", operator("#", ",", { reserved: true })],
  [".", operator(".", ".")],
  ["/", operator("/", "/")],
  [";", operator(";", ";", { named: true })],
  ["?", operator("?", "&", { named: true, ifEmpty: "=" })],
  ["&", operator("&", "&", { named: true, ifEmpty: "=" })]
])

/** A variable in an expression. `most` is the number of characters it is cut to, infinite without `:n`. */
export interface Variable {
  readonly name: string
  readonly explode: boolean
  readonly most: number
}

/** Text between expressions, as it expands and as units. */
export interface Literal {
  readonly text: string
  readonly units: Units
}

export interface Expression {
  readonly operator: Operator
  readonly variables: ReadonlyArray<Variable>
}

export type Part = Literal | Expression

export const isLiteral = (part: Part): part is Literal => "text" in part

const words = {
  TooLong: "too long",
  TooManyVariables: "too many variables",
  Literal: "a character that has to be escaped",
  Brace: "a brace without its other one, or nothing in them",
  Operator: "an operator that does not exist",
  Name: "not a name of a variable",
  Modifier: "neither * nor : and a number from 1 to 9999"
} as const

/**
 * Why a text is no URI template, and at which of its characters, from 0 on.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570#section-2
 */
export class MalformedTemplate extends Data.TaggedError("MalformedTemplate")<{
  readonly reason: keyof typeof words
  readonly at: number
}> {
  override get message(): string {
    return `a malformed URI template, at character ${this.at}: ${words[this.reason]}`
  }
}

const NAME = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*/
const MODIFIER = /^(?:\*|:[1-9][0-9]{0,3})?$/

const wrong = (reason: MalformedTemplate["reason"], at: number) => new MalformedTemplate({ reason, at })

const literal = (text: string, from: number): Literal | MalformedTemplate => {
  for (let at = 0; at < text.length;) {
    const unit = unitAt(text, at)
    const length = lengthAt(text, at, unit)
    const isBare = length === 1 && (unit >= ESCAPED || (unit >= 0x80 && unit < 0xa0))
    if (unit < 0 || isBare) return wrong("Literal", from + at)
    at += length
  }
  const units = unitsOf(text)
  return units === undefined ? wrong("Literal", from) : { text: encodeReserved(text), units }
}

const variable = (text: string, from: number): Variable | MalformedTemplate => {
  const name = NAME.exec(text)?.[0]
  if (name === undefined) return wrong("Name", from)
  const modifier = text.slice(name.length)
  if (!MODIFIER.test(modifier))
    return wrong(modifier.startsWith("*") || modifier.startsWith(":") ? "Modifier" : "Name", from + name.length)
  const most = modifier.startsWith(":") ? Number(modifier.slice(1)) : Number.POSITIVE_INFINITY
  return { name, explode: modifier === "*", most }
}

/** Reads what stands between two braces. */
const expression = (text: string, from: number): Expression | MalformedTemplate => {
  if (text === "") return wrong("Brace", from)
  if ("=,!@|".includes(text.charAt(0))) return wrong("Operator", from)
  const known = operators.get(text.charAt(0))
  const variables: Array<Variable> = []
  let at = known === undefined ? 0 : 1
  for (const piece of text.slice(at).split(",")) {
    const read = variable(piece, from + at)
    if (read instanceof MalformedTemplate) return read
    variables.push(read)
    at += piece.length + 1
  }
  return { operator: known ?? simple, variables }
}

/** Reads a template into its parts. */
export const parts = (text: string, mostVariables: number): ReadonlyArray<Part> | MalformedTemplate => {
  const found: Array<Part> = []
  let count = 0
  for (let at = 0; at < text.length;) {
    const brace = text.slice(at).search(/[{}]/)
    const open = brace < 0 ? text.length : at + brace
    if (text[open] === "}") return wrong("Brace", open)
    if (open > at) {
      const read = literal(text.slice(at, open), at)
      if (read instanceof MalformedTemplate) return read
      found.push(read)
    }
    if (open === text.length) break
    const close = text.indexOf("}", open)
    if (close < 0) return wrong("Brace", open)
    const read = expression(text.slice(open + 1, close), open + 1)
    if (read instanceof MalformedTemplate) return read
    count += read.variables.length
    if (count > mostVariables) return wrong("TooManyVariables", open)
    found.push(read)
    at = close + 1
  }
  return found
}
