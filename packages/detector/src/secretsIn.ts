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

const SECRET = /^--?[\w-]*(?:key|token|secret|password|passwd|auth)[\w-]*(?:=(.*))?$/is

/** The values of options whose names say that they are secret. */
export const secretArgs = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.flatMap((arg, index) => {
    const [option, value = args[index + 1] ?? ""] = SECRET.exec(arg) ?? []
    return option === undefined ? [] : [value]
  })

/** What the query of an address says. */
export const secretsOfUrl = (url: string): ReadonlyArray<string> => {
  const { search, searchParams } = new URL(url)
  return search === "" ? [] : [search, ...searchParams.values()]
}
