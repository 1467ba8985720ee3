import type { ClientRequest } from "./HttpClient.ts"

/** Shorter values would blot out words. */
const LEAST = 4

/** Causes of causes that are kept. */
const DEEP = 5

const KEPT = ["code", "errno", "syscall"] as const

/**
 * An error of a runtime without what may be a secret: some repeat the query of the address that was asked, or a header
 * that they do not take.
 */
export const withheld = (error: unknown, { headers, url }: ClientRequest): unknown => {
  const values = Object.values(headers).flatMap((value) => [value, value.trim()])
  const hidden = [URL.parse(url)?.search ?? "", ...values].filter((value) => value.length >= LEAST)
  const hide = (text: string): string => hidden.reduce((rest, value) => rest.replaceAll(value, "***"), text)
  const copy = (from: unknown, left: number): unknown => {
    if (!(from instanceof Error) || left === 0) return undefined
    const cause = copy(from.cause, left - 1)
    const to = new Error(hide(from.message), cause === undefined ? undefined : { cause })
    to.name = from.name
    if (from.stack !== undefined) to.stack = hide(from.stack)
    return Object.assign(
      to,
      Object.fromEntries(KEPT.filter((name) => name in from).map((name) => [name, Reflect.get(from, name)]))
    )
  }
  return hidden.length === 0 ? error : (copy(error, DEEP) ?? error)
}
