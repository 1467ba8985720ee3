import { isPlain, type Units, unitsOf } from "./characters.ts"
import { type Expression, isLiteral, type Operator, type Part, type Variable } from "./parse.ts"

/** What a stretch of a URI is to its variable: its one value, an item of its list, or a key or a value of its map. */
export type Role = "value" | "item" | "key" | "member"

/** A stretch of units that belongs to a variable. */
export interface Span {
  readonly kind: "span"
  /** Which variable, counted through the template. */
  readonly variable: number
  readonly role: Role
  readonly reserved: boolean
  /** A character that ends the stretch although it could be part of it; -1 for none. */
  readonly separator: number
  readonly least: 0 | 1
  readonly most: number
  /** For a key: the names of the other variables beside it, which are no keys. */
  readonly except: ReadonlyArray<Units>
  readonly next: number
}

/**
 * A step of the graph of all URIs that a template can make. Steps are numbered; each leads to smaller numbers, but for
 * `text` that goes round a loop.
 */
export type Step =
  | { readonly kind: "end" }
  | { readonly kind: "text"; readonly units: Units; next: number }
  | Span
  /** Two ways on; the first is taken when both are as good. */
  | { readonly kind: "fork"; readonly first: number; readonly second: number }
  /** A variable has a value from here on. */
  | { readonly kind: "use"; readonly next: number }

export interface Program {
  readonly steps: ReadonlyArray<Step>
  readonly start: number
}

/** Units of a text that take as long to compare as a step takes. */
const TEXT = 32

/** How many steps one unit of a URI costs at worst: where a text may begin, all of it may have to be compared. */
export const weightOf = ({ steps }: Program): number =>
  steps.reduce((sum, step) => sum + 1 + (step.kind === "text" ? step.units.length / TEXT : 0), 0)

/** Whether a unit may be part of a stretch. */
export const isIn = ({ reserved, separator }: Span, unit: number): boolean =>
  unit !== separator && (reserved || isPlain(unit))

const asciiUnits = (text: string): Units => unitsOf(text) ?? new Uint32Array(0)

const isNamed = (part: Part): part is Expression => !isLiteral(part) && part.operator.named

/** Whether a map of one expression may be taken for what another one names. */
export const isAmbiguous = (parts: ReadonlyArray<Part>): boolean => {
  const found = parts.filter(isNamed)
  return found.length > 1 && found.some(({ variables }) => variables.some(({ explode }) => explode))
}

/**
 * Builds the graph of a template, from its end to its start. With `isStrict` no key of a map is the name of a variable of
 * another expression.
 */
export const compile = (parts: ReadonlyArray<Part>, isStrict = false): Program => {
  const steps: Array<Step> = [{ kind: "end" }]
  const add = (step: Step): number => steps.push(step) - 1
  const fork = (first: number, second: number): number => add({ kind: "fork", first, second })
  const text = (units: Units, next: number): number => (units.length === 0 ? next : add({ kind: "text", units, next }))

  /** Once or more: `once` builds one round, given what follows it. */
  const repeat = (separator: string, once: (next: number) => number, next: number): number => {
    const again: Step = { kind: "text", units: asciiUnits(separator), next }
    again.next = once(fork(add(again), next))
    return again.next
  }

  const positional = ({ operator, variables }: Expression, variable: number, next: number): number => {
    const { first, reserved } = operator
    const values = ({ explode, most }: Variable, at: number, then: number): number => {
      // a list is taken apart at every separator, although a value by itself may hold one
      const separator = explode ? operator.separator.charCodeAt(0) : -1
      const span = (role: Role, least: 0 | 1, after: number): number =>
        add({ kind: "span", variable: variable + at, role, reserved, separator, least, most, except: [], next: after })
      // without a mark before it an empty value could not be told from none
      const isBare = first === "" && at === 0
      if (!explode) return span("value", isBare ? 1 : 0, then)
      const items = repeat(operator.separator, (after) => span("item", 0, after), then)
      const list = isBare ? span("item", 1, fork(text(asciiUnits(operator.separator), items), then)) : items
      if (reserved) return list
      const pair = (after: number): number => span("key", 1, text(asciiUnits("="), span("member", 0, after)))
      return fork(list, repeat(operator.separator, pair, then))
    }
    let start = next
    for (const [at, spec] of [...variables.entries()].reverse()) {
      const isLast = at === variables.length - 1
      const then = isLast ? next : fork(text(asciiUnits(operator.separator), start), next)
      start = add({ kind: "use", next: values(spec, at, then) })
    }
    return first === "" ? start : fork(text(asciiUnits(first), start), next)
  }

  const named = ({ operator, variables }: Expression, variable: number, next: number): number => {
    const names = variables.map(({ name }) => asciiUnits(name))
    const others = isStrict ? parts.filter(isNamed).filter((part) => part.variables !== variables) : []
    const elsewhere = others.flatMap((part) => part.variables.map(({ name }) => asciiUnits(name)))
    const span = (role: Role, at: number, least: 0 | 1, most: number, then: number): number => {
      const except = role === "key" ? [...names.filter((_, other) => other !== at), ...elsewhere] : []
      const stretch = { variable: variable + at, role, reserved: false, separator: -1, least, most, except }
      return add({ kind: "span", ...stretch, next: then })
    }
    /** What follows a name. */
    const value = (role: Role, at: number, most: number, then: number): number =>
      operator.ifEmpty === "="
        ? text(asciiUnits("="), span(role, at, 0, most, then))
        : fork(text(asciiUnits("="), span(role, at, 1, most, then)), span(role, at, 0, 0, then))
    const values = ({ explode, most, name }: Variable, at: number, then: number): number => {
      const own = (role: Role, after: number): number => text(asciiUnits(name), value(role, at, most, after))
      if (!explode) return own("value", then)
      const list = repeat(operator.separator, (after) => own("item", after), then)
      const pair = (after: number): number => span("key", at, 1, most, value("member", at, most, after))
      return fork(list, repeat(operator.separator, pair, then))
    }
    // the same variables, once when something of the expression has been written already and once when nothing has
    let later = next
    let first = next
    for (const [at, spec] of [...variables.entries()].reverse()) {
      const start = add({ kind: "use", next: values(spec, at, later) })
      later = fork(text(asciiUnits(operator.separator), start), later)
      first = operator.first === operator.separator ? later : fork(text(asciiUnits(operator.first), start), first)
    }
    return first
  }

  const place = (operator: Operator) => (operator.named ? named : positional)
  let variable = parts.reduce((count, part) => count + (isLiteral(part) ? 0 : part.variables.length), 0)
  let next = 0
  for (const part of [...parts].reverse()) {
    if (isLiteral(part)) next = text(part.units, next)
    else {
      variable -= part.variables.length
      next = place(part.operator)(part, variable, next)
    }
  }
  return { steps, start: next }
}
