import { limits, requireCounts } from "./Limits.ts"
import { type Units, unitsOf } from "./uriTemplate/characters.ts"
import { collect, type Matched } from "./uriTemplate/collect.ts"
import { compile, isAmbiguous, type Program, weightOf } from "./uriTemplate/compile.ts"
import { expandParts, type Scalar, type Value } from "./uriTemplate/expand.ts"
import { captures } from "./uriTemplate/match.ts"
import { isLiteral, MalformedTemplate, type Part, parts } from "./uriTemplate/parse.ts"

export { type Matched, MalformedTemplate, type Scalar, type Value }

/**
 * A URI template that has been read: RFC 6570, all four levels.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
 */
export interface UriTemplate {
  /** The template as it was written. */
  readonly text: string
  /** The names of its variables, each once, in the order in which they first occur. */
  readonly variables: ReadonlyArray<string>
  readonly parts: ReadonlyArray<Part>
  /** The graph that matching walks. */
  readonly program: Program
  /** The graph that is walked when that one has led to no answer. */
  readonly strict: Program | undefined
  /** The longest URI that is looked at: the shorter, the more steps the graphs have. */
  readonly uriLength: number
}

/**
 * Bounds of a template, in characters and in variables, and of its matching, in characters of the URI, alone and times the
 * steps of the template's graphs; `limits` has the defaults.
 */
export interface Options {
  readonly templateLength?: number | undefined
  readonly templateVariables?: number | undefined
  readonly uriLength?: number | undefined
  readonly templateWork?: number | undefined
}

/** Reads a template. What it gives back serves for any number of URIs. */
export const parse = (text: string, options: Options = {}): UriTemplate | MalformedTemplate => {
  const {
    templateLength = limits.templateLength,
    templateVariables = limits.templateVariables,
    templateWork = limits.templateWork,
    uriLength = limits.uriLength
  } = options
  requireCounts({ templateLength, templateVariables, templateWork, uriLength })
  if (text.length > templateLength) return new MalformedTemplate({ reason: "TooLong", at: templateLength })
  const read = parts(text, templateVariables)
  if (read instanceof MalformedTemplate) return read
  const names = read.flatMap((part) => (isLiteral(part) ? [] : part.variables.map(({ name }) => name)))
  const program = compile(read)
  const strict = isAmbiguous(read) ? compile(read, true) : undefined
  const weight = weightOf(program) + (strict === undefined ? 0 : weightOf(strict))
  return {
    text,
    variables: [...new Set(names)],
    parts: read,
    program,
    strict,
    uriLength: Math.min(uriLength, Math.floor(templateWork / weight))
  }
}

/** Reads a template that stands in a program's source, where a mistake is the author's: it throws. */
export const make = (text: string, options?: Options): UriTemplate => {
  const read = parse(text, options)
  if (read instanceof MalformedTemplate) throw read
  return read
}

/**
 * The URI that a template makes with these values. A variable without a value leaves nothing; members that are no
 * variable's are not looked at, and of a list or map only what is a text, a number or a boolean.
 */
export const expand = (template: UriTemplate, values: { readonly [name: string]: Value }): string =>
  expandParts(template.parts, values)

/** What a graph finds, when that makes the URI again: a variable may occur twice with two values, a map have a key twice. */
const matchBy = (program: Program, template: UriTemplate, units: Units): Matched | undefined => {
  const found = captures(program, units)
  if (found === undefined) return undefined
  const values = collect(template.parts, found)
  const again = unitsOf(expand(template, values))
  return again !== undefined && again.length === units.length && again.every((unit, at) => unit === units[at])
    ? values
    : undefined
}

/**
 * What the variables have to be for a template to make this URI; undefined when it cannot, or when the URI is longer
 * than is looked at. Expanding the answer gives an equivalent URI.
 *
 * - A variable is one text, or with `*` a list or, where the URI has `key=value` pairs, a map. A list is taken apart at
 *   every separator.
 * - `{x}` never holds a raw `/`, nor any other reserved character; `{+x}`, `{#x}` and `{/x*}` reach over segments.
 * - `{x}` and `{+x}` begin with a character of a value. An expression that writes a mark (`#`, `.`, `/`, `;`, `?`, `&`)
 *   may be absent, and so may the last variables of any expression, or any of `;`, `?` and `&`.
 * - Of several ways to read a URI the one that gives the most variables a value counts; among those, from the left, each
 *   value is as long as it can be. A name that occurs twice must turn out to have one value, a map no key twice.
 */
export const match = (template: UriTemplate, uri: string): Matched | undefined => {
  if (uri.length > template.uriLength) return undefined
  const units = unitsOf(uri)
  if (units === undefined) return undefined
  const matched = matchBy(template.program, template, units)
  if (matched !== undefined || template.strict === undefined) return matched
  return matchBy(template.strict, template, units)
}
