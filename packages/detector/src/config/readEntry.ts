import { JsonRpc, quote } from "@effective-mcp/protocol"
import type { Variables } from "./expand.ts"
import { secretArgs, secretsOfUrl } from "../secretsIn.ts"
import { bad, type Fields, fieldsOf, Stop, type Wrong } from "./fields.ts"
import type { ProgramPlace, Server, UrlPlace } from "./Server.ts"

/** How hosts name what speaks at an address; undefined is to be found out. */
const wires: ReadonlyMap<string, UrlPlace["wire"]> = new Map([
  ["http", undefined],
  ["streamable-http", "streamable-http"],
  ["streamableHttp", "streamable-http"],
  ["sse", "sse"],
  ["plain", "plain"]
])

/** What is read here, and what hosts keep in an entry for themselves. */
const known = new Set(
  [
    ["type", "transport", "command", "args", "env", "cwd", "url", "serverUrl", "httpUrl", "headers", "timeout"],
    ["disabled", "name", "title", "description", "icon", "version", "gallery", "note", "notes", "trust"],
    ["alwaysAllow", "autoApprove", "allowedTools", "disabledTools", "includeTools", "excludeTools", "tools"]
  ].flat()
)

const program = (fields: Fields, place: string): ProgramPlace => {
  const command = fields.text("command")
  if (command === undefined || command.trim() === "") throw bad(`${place}.command`, "is empty")
  const [env, cwd] = [fields.record("env"), fields.text("cwd")]
  return {
    _tag: "Program",
    command,
    args: fields.texts("args"),
    ...(env && { env }),
    ...(cwd === undefined ? {} : { cwd })
  }
}

const address = (fields: Fields, place: string, name: string, wire: UrlPlace["wire"]): UrlPlace => {
  const url = fields.text(name) ?? ""
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw bad(`${place}.${name}`, "is no http: or https: address")
  if (parsed.username !== "" || parsed.password !== "") {
    throw bad(`${place}.${name}`, "has a user or password in it: give them as a header")
  }
  const headers = fields.record("headers")
  return { _tag: "Url", url: parsed.href, ...(headers && { headers }), ...(wire && { wire }) }
}

const typeOf = (fields: Fields, place: string): string | undefined => {
  const name = fields.own("type") === undefined ? "transport" : "type"
  const type = fields.text(name)
  if (type !== undefined && type !== "stdio" && !wires.has(type)) {
    throw bad(`${place}.${name}`, `is none of stdio, ${[...wires.keys()].join(", ")}: ${quote(type)}`)
  }
  return type
}

const placeOf = (fields: Fields, place: string): Server["place"] => {
  const type = typeOf(fields, place)
  const at = ["url", "httpUrl", "serverUrl"].find((name) => fields.own(name) !== undefined)
  const hasCommand = fields.own("command") !== undefined
  if (hasCommand && at !== undefined) throw bad(place, `has both a command and a ${at}`)
  if (!hasCommand && at === undefined) throw bad(place, "has neither a command nor a url")
  if (hasCommand && type !== undefined && type !== "stdio")
    throw bad(place, `has a command, which is of type stdio and not ${type}`)
  if (at === undefined) return program(fields, place)
  if (type === "stdio") throw bad(place, `is of type stdio, and has no command but a ${at}`)
  return address(fields, place, at, at === "httpUrl" ? "streamable-http" : wires.get(type ?? "http"))
}

/** Reads one entry. It never throws, and what is wrong is told by its place, never by its value. */
export const readEntry = (entry: unknown, place: string, variables: Variables): Server | Wrong => {
  try {
    if (!JsonRpc.isObject(entry)) throw bad(place, "is no object")
    const fields = fieldsOf(entry, place, variables)
    const timeout = fields.number("timeout")
    const read = placeOf(fields, place)
    return {
      place: read,
      ...(timeout === undefined ? {} : { timeout }),
      secrets: [...fields.secrets, ...(read._tag === "Program" ? secretArgs(read.args) : secretsOfUrl(read.url))],
      unknown: Object.keys(entry).filter((name) => !known.has(name))
    }
  } catch (stopped) {
    if (stopped instanceof Stop) return stopped.wrong
    throw stopped
  }
}
