import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { CallError } from "./ClientError.ts"
import type { Method, Methods } from "./Methods.ts"
import { requireOptions } from "./requireOptions.ts"
import type { RequestOptions } from "./Session.ts"

/** Sends one request and reads its result. */
export type Send = <M extends Method>(
  method: M,
  params: Methods[M]["params"],
  options?: RequestOptions
) => Effect.Effect<Methods[M]["result"], CallError>

/** Does what `Send` describes at once, in the fiber that it is given: an effect each, for every step, is what a request costs. */
export type Sender = <M extends Method>(
  fiber: Fiber.Fiber<unknown, unknown>,
  method: M,
  params: Methods[M]["params"],
  options: RequestOptions
) => Effect.Effect<Methods[M]["result"], CallError>

/** What a sender does, to be run any number of times; options that mean nothing throw at once. */
export const toSend =
  (sender: Sender): Send =>
  (method, params, options = {}) => {
    requireOptions(options)
    return Effect.withFiber((fiber) => sender(fiber, method, params, options))
  }

/** What goes on around every request of a client: a cache, retries, a program's own middleware. */
export type Layer = (next: Send) => Send
