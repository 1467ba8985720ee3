import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import type { HttpHandler } from "./HttpHandler.ts"
import type { HttpRequest } from "./HttpRequest.ts"
import type { HttpResponse } from "./HttpResponse.ts"

/** How far an answer has come, as its adapter knows. */
export interface Progress {
  readonly isBegun: () => boolean
  readonly isOver: () => boolean
}

type Fork = (effect: Effect.Effect<void>) => Fiber.Fiber<void>

const TEXT = { "content-type": "text/plain" }

/** Answers what has ended without an answer. Apart from `run`, so that the request is not held for as long. */
const complete = (exit: Exit.Exit<void>, response: HttpResponse, progress: Progress, fork: Fork): void => {
  if (progress.isOver()) return
  const isStopped = Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
  if (Exit.isFailure(exit) && !isStopped) fork(Effect.logError("an HTTP handler died", exit.cause))
  if (progress.isBegun()) response.end()
  else if (isStopped) response.whole(503, TEXT, "Service unavailable")
  else response.whole(500, TEXT, "Internal server error")
}

const observe = (fiber: Fiber.Fiber<void>, response: HttpResponse, progress: Progress, fork: Fork): void => {
  fiber.addObserver((exit) => complete(exit, response, progress, fork))
}

/**
 * Runs a handler for one request. However it ends, the request is answered, or its client has left.
 *
 * @param fork runs it, with the services of whoever does
 */
export const run = (
  handler: HttpHandler,
  request: HttpRequest,
  response: HttpResponse,
  progress: Progress,
  fork: Fork = Effect.runFork
): Fiber.Fiber<void> => {
  const fiber = fork(Effect.suspend(() => handler(request, response)))
  observe(fiber, response, progress, fork)
  return fiber
}
