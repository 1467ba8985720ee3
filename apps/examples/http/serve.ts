import { serve } from "@effective-mcp/transport-http/server"
import { Effect } from "effect"
import { calculator } from "./calculator.ts"

/** On the server of whatever runtime this runs on. */
const program = Effect.gen(function* () {
  const { url } = yield* serve(calculator, { port: Number(process.env.PORT ?? 0) })
  console.log(url)
  yield* Effect.never
})

await Effect.runPromise(Effect.scoped(program))
