import type { JsonRpc, Progress, Revision } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Pulse } from "../Deadlines.ts"
import type { RequestOptions } from "../Session.ts"
import type { Call, Own } from "./asked.ts"
import { logOf } from "./heard.ts"

const isFinite = (value: unknown): value is number => Number.isFinite(value)

/**
 * What a report says, if it says more than `last`: progress only ever increases.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 */
const toProgress = ({ params = {} }: JsonRpc.Notification, last: number): Progress | undefined => {
  const { message, progress, total } = params
  if (!isFinite(progress) || progress <= last) return undefined
  if (typeof message === "string") return isFinite(total) ? { progress, total, message } : { progress, message }
  return isFinite(total) ? { progress, total } : { progress }
}

/** What all calls of a connection share. */
export interface Hearers {
  readonly revision: () => Revision | undefined
  /** Takes what is no progress. */
  readonly hear: (call: Call, said: JsonRpc.Request | JsonRpc.Notification) => Effect.Effect<void>
}

/** A call of ours, and what it hears; an object, since a closure for each part of it costs more than the part. */
export class Hearing implements Call {
  readonly method: string
  readonly id: JsonRpc.RequestId
  readonly pulse: Pulse
  questions: Own | undefined
  /** Whether anything has been said because of it. */
  isHeard = false
  private last = -Infinity
  private readonly options: RequestOptions
  private readonly hearers: Hearers

  constructor(hearers: Hearers, id: JsonRpc.RequestId, method: string, options: RequestOptions, pulse: Pulse) {
    this.hearers = hearers
    this.id = id
    this.method = method
    this.options = options
    this.pulse = pulse
  }
  hear(said: JsonRpc.Request | JsonRpc.Notification): Effect.Effect<void> {
    this.isHeard = true
    if (said.method !== "notifications/progress" || "id" in said) return this.other(said)
    // over HTTP a report is on the stream of a request, whatever its token says
    if (said.params?.progressToken !== this.id) return Effect.void
    const { onProgress } = this.options
    const { pulse } = this
    pulse.alive()
    const report = onProgress === undefined ? undefined : toProgress(said, this.last)
    if (report === undefined) return Effect.void
    this.last = report.progress
    const hearing = onProgress?.(report)
    if (hearing === undefined) return Effect.void
    // what comes meanwhile is not heard yet, and no sign of a server that is silent
    pulse.hold()
    return Effect.ensuring(
      hearing,
      Effect.sync(() => pulse.alive())
    )
  }
  private other(said: JsonRpc.Request | JsonRpc.Notification): Effect.Effect<void> {
    const { onLog } = this.options
    const heard = this.hearers.hear(this, said)
    const log = onLog === undefined || "id" in said ? undefined : logOf(said, this.hearers.revision())
    const hearing = log === undefined ? undefined : onLog?.(log)
    return hearing === undefined ? heard : Effect.andThen(heard, hearing)
  }
}
