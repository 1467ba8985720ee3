import { remember } from "./remember.ts"

/** The media type that a `Content-Type` names, in lower case and without its parameters. */
export const essence = (contentType: string): string => {
  const end = contentType.indexOf(";")
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}

const isZero = (parameters: ReadonlyArray<string>): boolean =>
  parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/i.test(parameter))

/** Whether the ranges of an `Accept` header are wanted; one of weight 0 is not. */
const rangesOf = remember((accept) => {
  const ranges = new Map<string, boolean>()
  for (const part of accept.split(",")) {
    const [name = "", ...parameters] = part.split(";")
    const range = name.trim().toLowerCase()
    ranges.set(range, ranges.get(range) === true || !isZero(parameters))
  }
  return ranges
})

/**
 * Whether an `Accept` header takes all of these media types: the range that says most about a type decides. Without a
 * header anything is taken.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export const accepts = (accept: string | undefined, types: ReadonlyArray<string>): boolean => {
  if (accept === undefined) return true
  const ranges = rangesOf(accept)
  return types.every(
    (type) => ranges.get(type) ?? ranges.get(`${type.slice(0, type.indexOf("/"))}/*`) ?? ranges.get("*/*") ?? false
  )
}
