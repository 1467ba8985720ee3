import type { HttpRequest, Intake, KeepAlive, Ownership } from "@effective-mcp/http"
import type { Host } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { HttpCall } from "./HttpCall.ts"
import type { Learned, ParamHeader } from "./ParamHeaders.ts"
import type { Sessions } from "./sessions.ts"

/** One listen stream that is open. */
export interface Listening {
  /** Has it end by itself; tells whether somebody sees to it. */
  readonly close: () => boolean
}

/** What the parts of one endpoint share; services of the host but for `HttpCall` are there when `run` runs. */
export interface Endpoint<R> extends Ownership.Ownership {
  /** The server for a request. */
  readonly hostFor: (request: HttpRequest) => Host<R | HttpCall> | Effect.Effect<Host<R | HttpCall>, never, R>
  readonly learnedOf: (host: Host<R | HttpCall>) => Learned<R | HttpCall>
  readonly paramHeaders: ((tool: string) => ReadonlyArray<ParamHeader>) | undefined
  /** Runs what may outlive its request. */
  readonly run: <A>(effect: Effect.Effect<A, never, R>) => Fiber.Fiber<A>
  readonly keepAlive: KeepAlive.KeepAlive
  /** Beats for readers that others wait for. */
  readonly stalled: KeepAlive.KeepAlive
  /** Beats for bodies that are being read; two beats are too long. */
  readonly reading: KeepAlive.KeepAlive
  /** Counts the bodies that are being read. */
  readonly intake: Intake.Intake
  /** Whether legacy answers are one JSON text. */
  readonly json: boolean
  /** Undefined where legacy requests are served one by one. */
  readonly sessions: Sessions<R | HttpCall> | undefined
  /** Who answers the listen streams that are open, and how each is told to end, and how many may be. */
  readonly listens: { readonly open: Map<Fiber.Fiber<unknown, unknown>, Listening>; readonly most: number }
}
