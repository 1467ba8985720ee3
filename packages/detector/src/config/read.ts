import { JsonRpc, limits, quote } from "@effective-mcp/protocol"
import type { Variables } from "./expand.ts"
import { type Wrong, wrong } from "./fields.ts"
import { readEntry } from "./readEntry.ts"
import type { Named } from "./Server.ts"

/** The member of a configuration that has its servers. */
const memberOf = (config: JsonRpc.JsonObject): string | undefined =>
  ["mcpServers", "servers"].find((name) => Object.hasOwn(config, name))

/** Whether a value is meant as a configuration. */
export const isConfig = (value: unknown): value is JsonRpc.JsonObject =>
  JsonRpc.isObject(value) && memberOf(value) !== undefined

const SHOWN = 10

/** Which servers a configuration has, for who has named another. */
export const theseInstead = (names: ReadonlyArray<string>): string => {
  const more = names.length > SHOWN ? `, and ${names.length - SHOWN} more` : ""
  return `Name one that is there: ${names.slice(0, SHOWN).map(quote).join(", ")}${more}.`
}

/**
 * Reads the servers of a configuration, but for those that are disabled. One that is wrong is told under its name, and
 * hides no other.
 *
 * @param only the one server to read; default all
 */
export const read = (config: unknown, variables: Variables, only?: string): ReadonlyArray<Named> | Wrong => {
  const member = JsonRpc.isObject(config) ? memberOf(config) : undefined
  if (!JsonRpc.isObject(config) || member === undefined)
    return wrong("the configuration", "has neither mcpServers nor servers")
  const servers = config[member]
  if (!JsonRpc.isObject(servers)) return wrong(member, "is no object")
  const all = Object.entries(servers)
  if (all.length > limits.configServers) return wrong(member, `has more than ${limits.configServers} servers`)
  const wanted = only === undefined ? all : all.filter(([name]) => name === only)
  if (only !== undefined && wanted.length === 0) {
    const names = all.map(([name]) => name)
    return wrong(member, `has no server ${quote(only)}`, names.length === 0 ? undefined : theseInstead(names))
  }
  const isOff = (entry: unknown): boolean =>
    JsonRpc.isObject(entry) && Object.hasOwn(entry, "disabled") && entry.disabled === true
  const named = wanted
    .filter(([, entry]) => !isOff(entry))
    .map(([name, entry]): Named => ({ name, read: readEntry(entry, `${member}.${quote(name)}`, variables) }))
  return named.length > 0
    ? named
    : wrong(member, "has no server that is not disabled", "Take disabled out of the entry of one, or add one.")
}
