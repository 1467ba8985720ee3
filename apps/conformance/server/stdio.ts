import { runMain, serve } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import { everything } from "./everything.ts"
import { frameLimits, read } from "./options.ts"

/** Serves everything on stdin and stdout. */
const program = Effect.gen(function* () {
  const options = read()
  yield* serve(yield* everything(options), frameLimits(options))
})

runMain(program)
