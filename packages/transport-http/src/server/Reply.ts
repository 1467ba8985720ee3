import { EventStream, type HttpResponse, type KeepAlive } from "@effective-mcp/http"
import { type ClosingService, type Host, JsonRpc, type Lasting, type Listener } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Endpoint, Listening } from "./Endpoint.ts"
import type { HttpCall } from "./HttpCall.ts"
import { JSON_TYPE } from "./refuse.ts"
import { statusOf } from "./statusOf.ts"
import { responseText, toText } from "./toText.ts"

/**
 * What is said on the response to one modern request: JSON when its response comes first, else an event stream. The one of
 * a listen stream stays for long, and there are many.
 */
export class Reply<R> implements KeepAlive.Beating, Listening, ClosingService {
  private closes: (() => void) | undefined
  private lasting: Lasting | undefined
  private readonly endpoint: Endpoint<R>
  private readonly host: Host<R | HttpCall>
  private readonly method: string
  private readonly response: HttpResponse
  private isOpen = false
  private silent = 0

  constructor(endpoint: Endpoint<R>, host: Host<R | HttpCall>, method: string, response: HttpResponse) {
    this.endpoint = endpoint
    this.host = host
    this.method = method
    this.response = response
  }

  readonly say: Listener = (said) =>
    Effect.suspend(() => {
      if ("id" in said) return Effect.logError("a modern exchange carries no question")
      const data = toText(said)
      if (data === undefined) return Effect.logError("a message could not be written")
      if (said.method === "notifications/tools/list_changed") this.endpoint.learnedOf(this.host).expire()
      this.open()
      return this.response.write(EventStream.encode({ data }), this.endpoint.stalled)
    })

  finish(said: JsonRpc.Response): void {
    if (this.method === "tools/list") this.endpoint.learnedOf(this.host).learn(said)
    const data = responseText(said)
    if (this.isOpen) this.response.end(EventStream.encode({ data }))
    else this.response.whole(statusOf(said), JSON_TYPE, data)
  }

  beat(): void {
    this.silent++
    // an answer may still come whole
    if (!this.isOpen && this.silent < 2) return
    this.open()
    this.response.offer(EventStream.comment)
  }

  onClose(closes: () => void): () => void {
    this.closes = closes
    return () => {
      this.closes = undefined
    }
  }

  keep(lasting: Lasting): void {
    this.lasting = lasting
  }

  /** Ends by itself; tells whether somebody sees to it. */
  close(): boolean {
    const { closes, lasting } = this
    closes?.()
    lasting?.end()
    return closes !== undefined || lasting !== undefined
  }

  /** Says the response, once all else has been said. */
  last(said: JsonRpc.Response): Effect.Effect<void> {
    return this.lasting === undefined || !JsonRpc.isSuccess(said)
      ? Effect.sync(() => this.finish(said))
      : Effect.map(this.lasting.rest(), () => this.finish(said))
  }

  leave(): Effect.Effect<void> | undefined {
    return this.lasting?.leave()
  }

  private open(): void {
    if (this.isOpen) return
    this.isOpen = true
    this.response.head(200, EventStream.headers)
  }
}
