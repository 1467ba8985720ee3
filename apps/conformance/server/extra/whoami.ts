import { Tool } from "@effective-mcp/server"
import { HttpCall } from "@effective-mcp/transport-http/server"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { bearerOf } from "../options.ts"

/** Looks at the HTTP request where there is one: the same tool serves stdio. */
export const whoami = Tool.make("whoami", {
  description: "Says who is calling, by the bearer token",
  run: Effect.fnUntraced(function* () {
    const http = yield* Effect.serviceOption(HttpCall)
    return Option.getOrUndefined(Option.map(http, ({ request }) => bearerOf(request))) ?? "nobody"
  })
})
