import { Client, type Connection, type TransportError } from "@effective-mcp/client"
import { connect as http } from "@effective-mcp/transport-http/client"
import { spawn } from "@effective-mcp/transport-stdio"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { answersOf } from "./answers.ts"
import type { Script } from "./script.ts"

const info = { name: "effective-mcp-driver", version: "1.0.0" }

type Transport = Effect.Effect<Connection, TransportError, Scope.Scope>

const transportOf = ({ options = {}, target }: Script): Transport => {
  const limit = options.maxMessageBytes === undefined ? {} : { messageBytes: options.maxMessageBytes }
  if ("url" in target) {
    return http(target.url, { ...limit, ...(options.headers === undefined ? undefined : { headers: options.headers }) })
  }
  const { command, cwd, env } = target
  const [program, ...args] = command
  return spawn({ command: program, args, ...limit, ...(env && { env }), ...(cwd && { cwd }) })
}

/** The client of a script. */
export const connect = (script: Script) => {
  const { answers = {}, era, options = {}, revision } = script
  const { cache = true, probeMs, recover = true, requestTimeoutMs, retry = true, totalTimeoutMs } = options
  return Client.connect(transportOf(script), info, {
    answers: answersOf(answers),
    era,
    revision,
    probeTimeout: probeMs,
    timeout: requestTimeoutMs,
    totalTimeout: totalTimeoutMs,
    cache: cache ? undefined : false,
    retry: retry === false ? false : retry === true ? undefined : { attempts: retry },
    recover: recover ? undefined : false
  })
}
