import { detect, type DetectError, type Kind } from "@effective-mcp/detector"
import { connect as http } from "@effective-mcp/transport-http/client"
import { connect as plain } from "@effective-mcp/transport-http/client/plain"
import { connect as sse } from "@effective-mcp/transport-sse/client"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { framesOf, type Options } from "./options.ts"
import { longestWait } from "./patience.ts"
import { supervising } from "./programs.ts"
import type { Reached, Transport } from "./Reached.ts"
import type { Script } from "./script.ts"
import type { Target } from "./targets.ts"

/** Finds out how a target is reached; nothing of it is run before. */
type Reaching = Effect.Effect<Reached, DetectError, Scope.Scope>

/** The key among the headers, for where it is one or the other. */
const withKey = ({ apiKey, headers }: Options): Options["headers"] => {
  if (apiKey === undefined) return headers
  const all = new Headers(headers)
  all.set("authorization", `Bearer ${apiKey}`)
  return Object.fromEntries(all)
}

const overHttp = (kind: Kind, url: string, script: Script, messageEndpoint?: string): Transport => {
  const { options = {} } = script
  const { apiKey, headers, reconnect } = options
  const frames = framesOf(options)
  switch (kind) {
    case "streamable-http":
      return http(url, { ...frames, apiKey, headers, reconnect })
    case "sse": {
      const credentials = apiKey === undefined || headers !== undefined ? { headers: withKey(options) } : { apiKey }
      return sse(url, { ...frames, ...credentials, messageEndpoint, reconnect })
    }
    case "plain":
      return plain(url, { ...frames, apiKey, headers, timeout: longestWait(script) })
  }
}

/** What is found at an address is spoken with as if it had been known. */
const detecting = (url: string, script: Script): Reaching => {
  const { options = {} } = script
  // options that mean nothing throw before anything is asked
  overHttp("streamable-http", url, script)
  return Effect.map(detect(url, { headers: withKey(options), probe: options.probeMs }), ({ evidence, kind }) => ({
    transport: overHttp(kind, url, script),
    detected: { kind, evidence }
  }))
}

/** How the one server of a target is reached; options that mean nothing throw. */
export const reaching = (script: Script, target: Exclude<Target, { readonly config: unknown }>): Reaching => {
  const known = (transport: Transport): Reaching => Effect.succeed({ transport })
  if ("url" in target) return known(overHttp("streamable-http", target.url, script))
  if ("sse" in target) return known(overHttp("sse", target.sse, script, target.messages))
  if ("plain" in target) return known(overHttp("plain", target.plain, script))
  if ("detect" in target) return detecting(target.detect, script)
  return Effect.map(supervising(target, script.options ?? {}), (transport) => ({ transport }))
}
