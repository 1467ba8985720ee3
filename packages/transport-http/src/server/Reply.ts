import { EventStream, type HttpResponse, type KeepAlive } from "@effective-mcp/http"
import type { ClosingService, Host, JsonRpc, Listener } from "@effective-mcp/protocol"
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
  close: (() => void) | undefined
  private readonly endpoint: Endpoint<R>
  private readonly host: Host<R | HttpCall>
  private readonly message: JsonRpc.Request
  private readonly response: HttpResponse
  private isOpen = false
  private silent = 0

  constructor(endpoint: Endpoint<R>, host: Host<R | HttpCall>, message: JsonRpc.Request, response: HttpResponse) {
    this.endpoint = endpoint
    this.host = host
    this.message = message
    this.response = response
  }

  readonly say: Listener = (said) =>
    Effect.suspend(() => {
      if ("id" in said) return Effect.logError("a modern exchange carries no question")
      const data = toText(said)
      if (data === undefined) return Effect.logError("a message could not be written")
      if (said.method === "notifications/tools/list_changed") this.endpoint.learnedOf(this.host).expire()
      this.open()
      return this.response.write(EventStream.encode({ data }))
    })

  finish(said: JsonRpc.Response): void {
    if (this.message.method === "tools/list") this.endpoint.learnedOf(this.host).learn(said)
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
    this.close = closes
    return () => {
      this.close = undefined
    }
  }

  private open(): void {
    if (this.isOpen) return
    this.isOpen = true
    this.response.head(200, EventStream.headers)
  }
}
