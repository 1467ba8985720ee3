import type * as Effect from "effect/Effect"
import type { HttpRequest } from "./HttpRequest.ts"
import type { HttpResponse } from "./HttpResponse.ts"

/**
 * Answers a request. It is interrupted when the client leaves before the answer has ended; one that dies, or ends
 * without an answer, is answered with 500.
 */
export type HttpHandler = (request: HttpRequest, response: HttpResponse) => Effect.Effect<void>
