import { type Host, JsonRpc, limits, quote } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { split } from "./commandLine.ts"
import type { Reason } from "./ConnectTargetError.ts"
import type { Variables } from "./config/expand.ts"
import { load, parse } from "./config/file.ts"
import { isConfig } from "./config/read.ts"
import { readEntry } from "./config/readEntry.ts"
import type { Server } from "./config/Server.ts"
import { secretArgs, secretsOfUrl } from "./secretsIn.ts"
import * as StdioUrl from "./stdioUrl.ts"
import type { Target } from "./Target.ts"

/** What a target says, before anything is reached. */
export type Plan =
  | { readonly _tag: "Host"; readonly host: Host }
  | { readonly _tag: "Server"; readonly server: Server; readonly shown: string }
  | { readonly _tag: "Config"; readonly config: unknown; readonly shown: string }

type Read = Effect.Effect<Plan, Reason>

const bad = (detail: string, at?: number): Effect.Effect<never, Reason> =>
  Effect.fail({ _tag: "BadTarget", detail, ...(at === undefined ? {} : { at }) })

const ofProgram = (program: StdioUrl.StdioUrl): Read => {
  const server = { place: { _tag: "Program", ...program }, secrets: secretArgs(program.args), unknown: [] } as const
  return Effect.succeed({ _tag: "Server", server, shown: `the program ${quote(program.command)}` })
}

const ofAddress = (text: string): Read => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return bad("this is no http: or https: address")
  if (url.username !== "" || url.password !== "")
    return bad("the address has a user or password in it: give headers instead")
  url.hash = ""
  const server = { place: { _tag: "Url", url: url.href }, secrets: secretsOfUrl(url.href), unknown: [] } as const
  return Effect.succeed({ _tag: "Server", server, shown: url.origin + url.pathname })
}

const ofWords = (words: ReadonlyArray<unknown>): Read => {
  const texts = words.filter((word) => typeof word === "string")
  const [command = "", ...args] = texts
  if (texts.length !== words.length) return bad("a word of the command is no text")
  if (command.trim() === "") return bad("a command has no program")
  return ofProgram({ command, args })
}

const ofLine = (line: string): Read => {
  const words = split(line)
  return "detail" in words ? bad(words.detail, words.at) : ofWords(words)
}

const ofStdioUrl = (url: string): Read => {
  const program = StdioUrl.read(url)
  return typeof program === "string" ? bad(program) : ofProgram(program)
}

const ofFile = (path: string): Read =>
  Effect.map(load(path), (config) => ({ _tag: "Config", config, shown: `the servers of ${quote(path)}` }))

const ofFileUrl = (url: string): Read =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () => import("node:url").then(({ fileURLToPath }) => fileURLToPath(url)),
      catch: (): Reason => ({ _tag: "BadTarget", detail: "this file: address names no file here" })
    }),
    ofFile
  )

const isThere = (path: string): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const { stat } = await import("node:fs/promises")
    return stat(path).then(
      (found) => found.isFile(),
      () => false
    )
  })

const shownConfig = "the servers of the configuration"

const ofText = (given: string): Read => {
  const text = given.trim()
  if (text === "") return bad("the target is empty")
  if (text.startsWith("{")) {
    return Effect.map(parse(text, "the configuration"), (config) => ({ _tag: "Config", config, shown: shownConfig }))
  }
  const [, scheme] = /^([a-z][a-z0-9+.-]+):/i.exec(text) ?? []
  switch (scheme?.toLowerCase()) {
    case "http":
    case "https":
      return ofAddress(text)
    case "stdio":
      return ofStdioUrl(text)
    case "file":
      return ofFileUrl(text)
    default:
      if (/^[\w.-]+:\d{1,5}(?:\/\S*)?$/.test(text)) return bad("an address begins with http:// or https://")
      if (scheme !== undefined && text.startsWith("//", scheme.length + 1)) return bad(`nothing here speaks ${scheme}:`)
  }
  if (text.length > limits.commandLineLength || !/\.jsonc?$/i.test(text)) return ofLine(text)
  // a path with spaces cannot be told from a command that is given a file, but by looking
  if (!/\s/.test(text)) return ofFile(text)
  return Effect.flatMap(isThere(text), (isFile) => (isFile ? ofFile(text) : ofLine(text)))
}

const isHost = (value: object): value is Host =>
  "modern" in value && typeof value.modern === "object" && "converse" in value && typeof value.converse === "function"

const shownEntry = (place: Server["place"]): string => {
  if (place._tag === "Program") return `the program ${quote(place.command)}`
  const { origin, pathname } = new URL(place.url)
  return origin + pathname
}

/** Finds out what a target says; what is given may be anything, as it is in plain JavaScript. */
export const readTarget = (target: Target, variables: Variables): Read => {
  const given: unknown = target
  if (typeof given === "string") return ofText(given)
  if (given instanceof URL) return ofText(given.href)
  if (Array.isArray(given)) return ofWords(given)
  if (typeof given !== "object" || given === null) return bad("nothing can be connected to this")
  if (isHost(given)) return Effect.succeed({ _tag: "Host", host: given })
  if (isConfig(given)) return Effect.succeed({ _tag: "Config", config: given, shown: shownConfig })
  if (
    !JsonRpc.isObject(given) ||
    !["command", "url", "httpUrl", "serverUrl"].some((name) => Object.hasOwn(given, name))
  ) {
    return bad("nothing can be connected to this object")
  }
  const server = readEntry(given, "the entry", variables)
  return "_tag" in server
    ? Effect.fail(server)
    : Effect.succeed({ _tag: "Server", server, shown: shownEntry(server.place) })
}
