import { limits, type LoggingLevel } from "@effective-mcp/protocol"
import type { Method, Methods } from "../Methods.ts"

/** What a client has told a legacy session that its successor has to be told again. */
export interface Kept {
  readonly uris: Set<string>
  level: LoggingLevel | undefined
}

export const make = (): Kept => ({ uris: new Set(), level: undefined })

/** Takes down what a request that succeeded has changed. */
export const note = <M extends Method>(kept: Kept, method: M, params: Methods[M]["params"]): void => {
  const said = params as { readonly uri?: string; readonly level?: LoggingLevel } // cast: those of the methods below
  if (method === "logging/setLevel") kept.level = said.level
  else if (said.uri === undefined) return
  else if (method === "resources/unsubscribe") kept.uris.delete(said.uri)
  else if (method === "resources/subscribe" && kept.uris.size < limits.watched) kept.uris.add(said.uri)
}

const methods: ReadonlySet<string> = new Set(["logging/setLevel", "resources/subscribe", "resources/unsubscribe"])

/** Whether a request changes what is kept. */
export const concerns = (method: string): boolean => methods.has(method)
