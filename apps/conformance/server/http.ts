import { serve } from "@effective-mcp/transport-http/server"
import { runMain } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import { everything } from "./everything.ts"
import { httpOptions, read } from "./options.ts"

/** Serves everything at `http://127.0.0.1:<port>/mcp`; the port is the argument. */
const program = Effect.gen(function* () {
  const options = read()
  const { url } = yield* serve(yield* everything(options), {
    ...httpOptions(options),
    port: Number(process.argv[2] ?? 0)
  })
  process.stderr.write(`${url}\n`)
  return yield* Effect.never
})

runMain(Effect.scoped(program))
