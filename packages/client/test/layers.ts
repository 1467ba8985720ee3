import type { Method } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { CallError } from "../src/ClientError.ts"
import type { Send } from "../src/Send.ts"
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
