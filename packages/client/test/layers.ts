import * as Effect from "effect/Effect"
import type { CallError } from "../src/ClientError.ts"
import type { Method } from "../src/Methods.ts"
import { alone, make as makeRetry, type RetryOptions } from "../src/Retry.ts"
import { type Layer, type Send, type Sender, toSend } from "../src/Send.ts"
import type { RequestOptions } from "../src/Session.ts"

/** One request as it reached the session under the layers. */
export interface Sent {
  readonly method: Method
  readonly params: object
  readonly options: RequestOptions | undefined
}

export type Answer = Effect.Effect<object, CallError>

/** A session that answers every request as `answer` says, and keeps what reached it. */
export const session = (answer: (sent: Sent, count: number) => Answer) => {
  const sent: Array<Sent> = []
  const send = ((method, params, options) =>
    Effect.suspend(() => {
      const one = { method, params, options }
      sent.push(one)
      return answer(one, sent.length)
    })) as Send // cast: each test answers with the result of the method that it sends
  return { send, sent }
}

const toSender =
  (send: Send): Sender =>
  (_, method, params, options) =>
    send(method, params, options)

/** What goes on in the fiber of a request, around one that is sent by itself. */
export const inFiber =
  (around: (next: Sender) => Sender): Layer =>
  (next) =>
    toSend(around(toSender(next)))

export const retryLayer = (options?: RetryOptions): Layer => {
  const retrying = makeRetry(options)
  return inFiber((next) => alone(retrying(next)))
}
