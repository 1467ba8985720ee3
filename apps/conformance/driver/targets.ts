import * as Schema from "effect/Schema"

const optional = Schema.optionalKey
const Texts = Schema.Record(Schema.String, Schema.String)

/** What can be reached, by the name that makes it so. */
const kinds = {
  /** A server of Streamable HTTP. */
  url: Schema.Struct({ url: Schema.String }),
  /** A program on stdio, and its arguments. */
  command: Schema.Struct({
    command: Schema.NonEmptyArray(Schema.String),
    env: optional(Texts),
    cwd: optional(Schema.String)
  }),
  /** A stream of HTTP+SSE; `messages` is where messages go, whatever the server says. */
  sse: Schema.Struct({ sse: Schema.String, messages: optional(Schema.String) }),
  /** A server of plain HTTP. */
  plain: Schema.Struct({ plain: Schema.String }),
  /** An address, at which it is found out what speaks there. */
  detect: Schema.Struct({ detect: Schema.String }),
  /** What a host's file holds: `mcpServers`, or the servers themselves. */
  config: Schema.Struct({ config: Schema.Record(Schema.String, Schema.Unknown) })
}

export const Target = Schema.Union([kinds.url, kinds.command, kinds.sse, kinds.plain, kinds.detect, kinds.config])

export type Target = typeof Target.Type

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const listed = (names: ReadonlyArray<string>): string => names.map((name) => JSON.stringify(name)).join(", ")

/** What is wrong with a target as far as its kind goes; undefined when that is clear. */
export const faultOf = (target: unknown): string | undefined => {
  if (target === undefined) return "the script has no target"
  if (!isObject(target) || Array.isArray(target)) return "the target is no object"
  const given = Object.keys(target)
  const known = given.filter((name) => Object.hasOwn(kinds, name))
  if (known.length === 0) {
    return `no target of this kind can be reached: ${listed(given) || "{}"}; there are ${listed(Object.keys(kinds))}`
  }
  return known.length > 1 ? `a target is of one kind, and this one has ${listed(known)}` : undefined
}
