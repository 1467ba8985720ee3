import { Tool } from "@effective-mcp/server"
import { HttpCall } from "@effective-mcp/transport-http/server"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Hangs up in the middle of its call where there is something to hang up; the client comes back for the result. */
export const reconnection = [
  Tool.make("test_reconnection", {
    description: "Closes the stream of its response, and goes on",
    run: Effect.fnUntraced(function* () {
      const http = yield* Effect.serviceOption(HttpCall)
      if (Option.isSome(http)) yield* http.value.closeStream
      yield* Effect.sleep(100)
      return "Reconnection test completed successfully"
    })
  })
]
