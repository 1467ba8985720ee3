import type { Headers } from "../HttpResponse.ts"

/**
 * A program's headers by their names in lower case, without those that it cannot set: they are the transport's `own`, or
 * the wire's.
 */
export const configured = (headers: Headers, apiKey: string | undefined, own: ReadonlySet<string>): Headers => {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (!own.has(lower)) kept[lower] = value
  }
  if (apiKey !== undefined) kept.authorization = `Bearer ${apiKey}`
  return kept
}

/** Who sends requests with these headers: a text that is another as soon as any of them is. */
export const callerOf = (headers: Headers): string => {
  const names = Object.keys(headers).toSorted()
  return names.length === 0 ? "" : JSON.stringify(names.map((name) => [name, headers[name]]))
}
