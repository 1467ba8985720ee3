import { JsonRpc, limits, quote } from "@effective-mcp/protocol"
import type { Reason } from "../ConnectTargetError.ts"
import { expand, type Variables } from "./expand.ts"

/** Why an entry is none. */
export type Wrong = Extract<Reason, { _tag: "BadConfig" | "Unset" }>

export const wrong = (at: string, detail: string, advice?: string): Wrong => ({
  _tag: "BadConfig",
  at,
  detail,
  ...(advice === undefined ? {} : { advice })
})

/** Stops the reading of an entry. */
export class Stop extends Error {
  readonly wrong: Wrong
  constructor(wrong: Wrong) {
    super(wrong._tag)
    this.wrong = wrong
  }
}

export const bad = (at: string, detail: string): Stop => new Stop(wrong(at, detail))

const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object"
  return `a ${typeof value}`
}

/** Reads the members of one entry, by its place; what is expanded into them is kept apart, since it may be secret. */
export const fieldsOf = (entry: JsonRpc.JsonObject, place: string, variables: Variables) => {
  const secrets: Array<string> = []
  const own = (name: string): unknown => (Object.hasOwn(entry, name) ? entry[name] : undefined)

  const text = (value: unknown, at: string): string => {
    if (typeof value !== "string") throw bad(at, `is ${kindOf(value)}, and has to be a text`)
    const bound = (length: number): void => {
      if (length > limits.commandLineLength) throw bad(at, `has more than ${limits.commandLineLength} characters`)
    }
    bound(value.length)
    const expanded = expand(value, variables)
    if ("unset" in expanded) throw new Stop({ _tag: "Unset", variable: expanded.unset, at })
    if ("fault" in expanded) throw bad(at, expanded.fault)
    bound(expanded.text.length)
    secrets.push(...expanded.used)
    return expanded.text
  }
  const count = (length: number, at: string): void => {
    if (length > limits.configValues) throw bad(at, `has more than ${limits.configValues} values`)
  }

  return {
    secrets,
    own,
    text: (name: string): string | undefined => {
      const value = own(name)
      return value === undefined || value === null ? undefined : text(value, `${place}.${name}`)
    },
    texts: (name: string): ReadonlyArray<string> => {
      const value = own(name) ?? []
      const at = `${place}.${name}`
      if (!Array.isArray(value)) throw bad(at, `is ${kindOf(value)}, and has to be a list of texts`)
      count(value.length, at)
      return value.map((one, index) => text(one, `${at}[${index}]`))
    },
    record: (name: string): Readonly<Record<string, string>> | undefined => {
      const value = own(name)
      const at = `${place}.${name}`
      if (value === undefined || value === null) return undefined
      if (!JsonRpc.isObject(value)) throw bad(at, `is ${kindOf(value)}, and has to be an object of texts`)
      const entries = Object.entries(value)
      count(entries.length, at)
      const read = entries.map(([key, one]) => [key, text(one, `${at}.${quote(key)}`)] as const)
      secrets.push(...read.map(([, one]) => one))
      return Object.fromEntries(read)
    },
    number: (name: string): number | undefined => {
      const value = own(name)
      if (value === undefined || value === null) return undefined
      const isTime = typeof value === "number" && Number.isFinite(value) && value > 0
      if (!isTime) throw bad(`${place}.${name}`, `has to be a number of milliseconds above 0`)
      return value
    }
  }
}

export type Fields = ReturnType<typeof fieldsOf>
