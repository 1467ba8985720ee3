import type { Headers, Interceptor } from "@effective-mcp/http/client"
import * as Effect from "effect/Effect"
import type { DetectOptions } from "./Options.ts"

/** Headers of every request, whose values are no secrets. */
const open = /^(?:accept|content-(?:type|length)|mcp-.*|last-event-id|trace(?:parent|state))$/i

/** What headers say that may be secret. */
export const secretsOf = (headers: Headers): ReadonlyArray<string> =>
  Object.entries(headers).flatMap(([name, value]) => (open.test(name) ? [] : [value]))

type Sending = Pick<DetectOptions, "headers" | "interceptors">

/** The same, where `tell` hears of each value that is made for a request: by what makes headers, or by an interceptor. */
export const withholding = <A extends Sending>(given: A, tell: (values: ReadonlyArray<string>) => void): A => {
  const { headers, interceptors = [] } = given
  const last: Interceptor = (request, next) => {
    tell(secretsOf(request.headers))
    return next(request)
  }
  return {
    ...given,
    ...(Effect.isEffect(headers) && {
      headers: Effect.tap(headers, (made) => Effect.sync(() => tell(secretsOf(made))))
    }),
    // none is added where there is none: nobody could tell any more who sends the requests
    ...(interceptors.length > 0 && { interceptors: [...interceptors, last] })
  }
}
