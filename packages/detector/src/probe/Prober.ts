import {
  type ClientResponse,
  configured,
  type Headers,
  type HttpClient,
  intercept,
  typeOf
} from "@effective-mcp/http/client"
import { clip, limits, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { DetectReason } from "../DetectError.ts"
import { monotonicMs } from "../monotonicMs.ts"
import type { DetectOptions } from "../Options.ts"
import type { Probe, Sent, Verdict } from "../Probe.ts"
import { redacting, throughout } from "../redact.ts"
import { secretsOfUrl } from "../secretsIn.ts"
import { secretsOf, withholding } from "../withholding.ts"
import { type Judgement, ofGet, ofPost } from "./judge.ts"
import { type Question, SESSION } from "./requests.ts"
import { redirectOf, stopOf, stoppedBy } from "./stop.ts"

type Response = ClientResponse.ClientResponse

/** Headers that a program cannot set: they are the probe's, or the wire's. */
const own: ReadonlySet<string> = new Set([
  SESSION,
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "last-event-id",
  "accept",
  "content-type",
  "content-length",
  "transfer-encoding"
])

/** As many characters as the id of a session may have. */
const SESSION_LENGTH = 4_096

/** One request, what it is called, how long it may take, and what its answer says. */
interface Request {
  readonly sent: Sent
  readonly method: string
  readonly headers: Headers
  readonly body?: string
  readonly ms: number
  readonly judge: (http: Response) => Effect.Effect<Judgement, TransportError>
}

/** Asks one address one thing after the other, and keeps what came of each. */
export class Prober {
  readonly evidence: Array<Probe> = []
  private readonly url: string
  private readonly send: HttpClient
  private readonly headers: Effect.Effect<Headers, TransportError>
  private readonly probeMs: number
  /** What was sent, and is not to be repeated. */
  private readonly withheld: Set<string>

  constructor(url: string, client: HttpClient, { headers = {}, interceptors = [] }: DetectOptions, probeMs: number) {
    const sending = withholding({ interceptors }, (values) => this.withhold(values))
    this.url = url
    this.withheld = new Set(secretsOfUrl(url))
    this.send = intercept(client, sending.interceptors)
    this.headers = Effect.map(Effect.isEffect(headers) ? headers : Effect.succeed(headers), (given) =>
      configured(given, undefined, own)
    )
    this.probeMs = probeMs
  }

  /** Asks one thing. Fails where the answer leaves nothing to find out. */
  ask({ message, ...question }: Question): Effect.Effect<Verdict, DetectReason> {
    if (message === undefined) {
      return this.request({ ...question, ms: this.probeMs, judge: (http) => Effect.succeed(ofGet(http)) })
    }
    let session: string | undefined
    const judge = (http: Response) => {
      if (message.method === "initialize") session = http.header(SESSION)
      return ofPost(http, message)
    }
    const asked = this.request({ ...question, body: JSON.stringify(message), ms: this.probeMs, judge })
    return Effect.ensuring(
      asked,
      Effect.suspend(() => this.leave(session))
    )
  }

  /** Ends a session that was opened, which the server need not allow. */
  private leave(session: string | undefined): Effect.Effect<void> {
    if (session === undefined || session.length > SESSION_LENGTH) return Effect.void
    const left = this.request({
      sent: "DELETE",
      method: "DELETE",
      headers: { [SESSION]: session },
      ms: limits.sessionEndMs,
      judge: () => Effect.succeed({ verdict: "Left" })
    })
    return Effect.ignore(left)
  }

  private request(request: Request): Effect.Effect<Verdict, DetectReason> {
    return Effect.flatMap(monotonicMs, (from) => {
      const { body, judge, method, ms, sent } = request
      let http: Response | undefined
      const note = (judgement: Judgement): Effect.Effect<void> => this.note(sent, from, http, judgement)
      const answered = Effect.gen({ self: this }, function* () {
        const headers = { ...(yield* this.headers), ...request.headers }
        const head = { method, url: this.url, headers }
        this.withhold(secretsOf(headers))
        const response = yield* this.send(body === undefined ? head : { ...head, body })
        http = response
        const redirected = redirectOf(response, this.url)
        const judgement: Judgement = redirected === undefined ? yield* judge(response) : { verdict: "Redirected" }
        return { judgement, stop: redirected ?? (yield* stopOf(judgement.verdict, response)) }
      })
      return Effect.scoped(answered).pipe(
        Effect.timeoutOrElse({
          duration: ms,
          orElse: () => Effect.fail(TransportError.make({ _tag: "TimedOut", afterMs: ms }))
        }),
        Effect.matchEffect({
          onFailure: (error) => {
            const stop = stoppedBy(error)
            return Effect.andThen(note({ verdict: stop._tag }), Effect.fail(this.told(stop)))
          },
          onSuccess: ({ judgement, stop }) =>
            Effect.andThen(
              note(judgement),
              stop === undefined ? Effect.succeed(judgement.verdict) : Effect.fail(this.told(stop))
            )
        })
      )
    })
  }

  private withhold(values: ReadonlyArray<string>): void {
    for (const value of values) this.withheld.add(value)
  }

  /** A server may repeat what it was sent. */
  private told(stop: DetectReason): DetectReason {
    return throughout(stop, redacting([...this.withheld]))
  }

  private note(sent: Sent, from: number, http: Response | undefined, judgement: Judgement): Effect.Effect<void> {
    return Effect.map(monotonicMs, (now) => {
      const type = http === undefined ? "" : typeOf(http)
      this.evidence.push({
        sent,
        ...(http === undefined ? undefined : { status: http.status }),
        ...(type === "" ? undefined : { mediaType: clip(type) }),
        ...judgement,
        ms: Math.round(now - from)
      })
    })
  }
}
