import { Client, type Connection, type State, type TransportError } from "@effective-mcp/client"
import { connect as http } from "@effective-mcp/transport-http/client"
import { spawn } from "@effective-mcp/transport-stdio"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { answersOf } from "./answers.ts"
import type { Options } from "./options.ts"
import { event, toError } from "./output.ts"
import type { Script } from "./script.ts"

const info = { name: "effective-mcp-driver", version: "1.0.0" }

type Transport = Effect.Effect<Connection, TransportError, Scope.Scope>

const transportOf = ({ options = {}, target }: Script): Transport => {
  const frames = { messageBytes: options.maxMessageBytes, depth: options.maxDepth }
  if ("url" in target) {
    const { apiKey, headers, reconnect } = options
    return http(target.url, { ...frames, apiKey, headers, reconnect })
  }
  const { command, cwd, env } = target
  const [program, ...args] = command
  const { graceMs, mailbox, mailboxBytes, stderrBytes, unread } = options
  return spawn({ command: program, args, env, cwd, ...frames, graceMs, mailbox, mailboxBytes, stderrBytes, unread })
}

/** `true` is as the library has it. */
const retryOf = (retry: NonNullable<Options["retry"]>): Client.Options["retry"] => {
  if (typeof retry === "boolean") return retry ? undefined : false
  if (typeof retry === "number") return { attempts: retry }
  const { attempts, delayMs, mayRepeat, totalMs } = retry
  return { attempts, delay: delayMs, total: totalMs, mayRepeat: mayRepeat && ((tool) => mayRepeat.includes(tool)) }
}

const recoverOf = (recover: NonNullable<Options["recover"]>): Client.Options["recover"] => {
  if (typeof recover === "boolean") return recover ? undefined : false
  const { attempts, totalMs, uptimeMs } = recover
  return { attempts, totalTimeout: totalMs, uptime: uptimeMs }
}

const cacheOf = (cache: NonNullable<Options["cache"]>): Client.Options["cache"] => {
  if (typeof cache === "boolean") return cache ? undefined : false
  return { staleIfError: cache.staleIfErrorMs }
}

const onState = (state: State): void => {
  const { _tag, ...detail } = state
  event("state", { state: _tag, ...detail, ...("error" in detail ? { error: toError(detail.error) } : undefined) })
}

/** Connects the client of a script; options that mean nothing throw. */
export const connecting = (script: Script): ReturnType<typeof Client.connect<Scope.Scope>> => {
  const { answers = {}, era, options = {}, revision } = script
  const {
    cache = true,
    meta,
    probeMs,
    recover = true,
    requestTimeoutMs,
    retry = true,
    rounds,
    totalTimeoutMs
  } = options
  return Client.connect(transportOf(script), info, {
    answers: answersOf(answers),
    era,
    revision,
    probeTimeout: probeMs,
    timeout: requestTimeoutMs,
    totalTimeout: totalTimeoutMs,
    maxRounds: rounds,
    meta,
    cache: cacheOf(cache),
    retry: retryOf(retry),
    recover: recoverOf(recover),
    onState
  })
}
