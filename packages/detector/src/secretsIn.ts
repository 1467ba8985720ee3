import * as Effect from "effect/Effect"
import type { ServerOptions } from "./ConnectOptions.ts"

/** What a program gave that no error may repeat. */
export const secretsIn = ({
  apiKey,
  headers
}: Pick<ServerOptions<unknown>, "apiKey" | "headers">): ReadonlyArray<string> => [
  ...(apiKey === undefined ? [] : [apiKey]),
  ...(headers === undefined || Effect.isEffect(headers) ? [] : Object.values(headers))
]

/** The name of an option or a variable, which may be followed by its value. */
const NAME = /^(-{0,2}[A-Za-z_][\w.-]*)(?:=(.*))?$/s
const SECRET = /key|token|secret|passw|pwd|auth|credential|bearer/i
/** Options that are given a header, or a variable. */
const HEADER = /^(?:-H|--?headers?)$/
const VARIABLE = /^(?:-e|--?env)$/

/** What an address says that may be secret: its user's password, and the values of its query. */
const ofAddress = (arg: string): ReadonlyArray<string> => {
  const url = arg.includes("://") ? URL.parse(arg) : null
  if (url === null) return []
  // as it was written, too: an address is written anew when it is read
  const [, written = ""] = /^[^/?#]*:\/\/[^/?#]*?:([^/?#]*)@/.exec(arg) ?? []
  return [url.password, written, ...(url.search === "" ? [] : [url.search, ...url.searchParams.values()])]
}

const after = (text: string, mark: string): string => text.slice(text.indexOf(mark) + 1).trim()

/** What the value of an option says that may be secret. */
const ofOption = (name: string, value: string): ReadonlyArray<string> => {
  if (HEADER.test(name)) return [after(value, ":")]
  if (VARIABLE.test(name)) return value.includes("=") ? [after(value, "=")] : []
  return SECRET.test(name) ? [value] : ofAddress(value)
}

/**
 * What arguments say that is secret by its name: `--api-key …`, `--token=…`, `API_KEY=…`, or by its place: a header, a
 * variable, the password and the query of an address.
 */
export const secretArgs = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args
    .flatMap((arg, index) => {
      const [, name, value] = NAME.exec(arg) ?? []
      if (name === undefined) return ofAddress(arg)
      if (value !== undefined) return ofOption(name, value)
      return name.startsWith("-") ? ofOption(name, args[index + 1] ?? "") : []
    })
    .filter((secret) => secret !== "")

/** What the query of an address says. */
export const secretsOfUrl = (url: string): ReadonlyArray<string> => {
  const { search, searchParams } = new URL(url)
  return search === "" ? [] : [search, ...searchParams.values()]
}
