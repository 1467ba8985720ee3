import { encodePlain, encodeReserved, lengthAt, unitAt } from "./characters.ts"
import { type Expression, isLiteral, type Operator, type Part, type Variable } from "./parse.ts"

/** A value's smallest piece. */
export type Scalar = string | number | boolean

/** What a variable stands for: a text, a list, or a map. `undefined`, `null` and what has no member leave nothing. */
export type Value =
  | Scalar
  | null
  | undefined
  | ReadonlyArray<Scalar | null | undefined>
  | ReadonlyMap<string, Scalar | null | undefined>
  | { readonly [key: string]: Scalar | null | undefined }

const textOf = (value: unknown): string | undefined =>
  typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : undefined

/** The first characters of a text. Where escapes stand for themselves, those of one character are not torn apart. */
const cut = (text: string, most: number, reserved: boolean): string => {
  let end = 0
  for (let count = 0; count < most && end < text.length; count++) {
    const isEscape = reserved && text[end] === "%"
    end += isEscape ? lengthAt(text, end, unitAt(text, end)) : text.codePointAt(end)! > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

/** The members of a list or map, those that are there: keys of a list are empty. */
const members = (value: object): ReadonlyArray<readonly [key: string, text: string]> => {
  const entries = Array.isArray(value)
    ? value.map((member) => ["", textOf(member)] as const)
    : [...(value instanceof Map ? value : Object.entries(value))].map(([key, member]) => [key, textOf(member)] as const)
  return entries.flatMap(([key, text]) => (text === undefined ? [] : [[key, text] as const]))
}

/** What one variable contributes: the pieces that the operator's separator stands between. */
const pieces = (operator: Operator, { explode, most, name }: Variable, value: unknown): ReadonlyArray<string> => {
  const encode = operator.reserved ? encodeReserved : encodePlain
  const named = (key: string, written: string): string =>
    written === "" ? key + operator.ifEmpty : `${key}=${written}`
  const text = textOf(value)
  if (text !== undefined) {
    const written = encode(most < text.length ? cut(text, most, operator.reserved) : text)
    return [operator.named ? named(name, written) : written]
  }
  if (typeof value !== "object" || value === null) return []
  const isList = Array.isArray(value)
  const all = members(value)
  if (all.length === 0) return []
  if (!explode) {
    // keys are data: escaped whole, so that no key ends its place in the URI
    const written = all.map(([key, member]) => (isList ? "" : `${encodePlain(key)},`) + encode(member)).join(",")
    return [operator.named ? named(name, written) : written]
  }
  return all.map(([key, member]) => {
    const written = encode(member)
    if (operator.named) return named(isList ? name : encodePlain(key), written)
    return isList ? written : `${encodePlain(key)}=${written}`
  })
}

const expandOne = ({ operator, variables }: Expression, values: { readonly [name: string]: Value }): string => {
  const all = variables.flatMap((variable) =>
    Object.hasOwn(values, variable.name) ? pieces(operator, variable, values[variable.name]) : []
  )
  return all.length === 0 ? "" : operator.first + all.join(operator.separator)
}

/** The URI that the parts of a template make with these values. */
export const expandParts = (parts: ReadonlyArray<Part>, values: { readonly [name: string]: Value }): string =>
  parts.map((part) => (isLiteral(part) ? part.text : expandOne(part, values))).join("")
