import { remember } from "./remember.ts"

/** The media type that a `Content-Type` names, in lower case and without its parameters. */
export const essence = (contentType: string): string => {
  const end = contentType.indexOf(";")
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}

const isZero = (parameters: ReadonlyArray<string>): boolean =>
  parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/i.test(parameter))

/** The ranges of an `Accept` header. */
const rangesOf = remember((accept) => {
  const ranges = new Set<string>()
  for (const part of accept.split(",")) {
    const [range = "", ...parameters] = part.split(";")
    if (!isZero(parameters)) ranges.add(range.trim().toLowerCase())
  }
  return ranges
})

/** Whether an `Accept` header takes all of these media types. Without a header anything is taken. */
export const accepts = (accept: string | undefined, types: ReadonlyArray<string>): boolean => {
  if (accept === undefined) return true
  const ranges = rangesOf(accept)
  return types.every(
    (type) => ranges.has(type) || ranges.has("*/*") || ranges.has(`${type.slice(0, type.indexOf("/"))}/*`)
  )
}
