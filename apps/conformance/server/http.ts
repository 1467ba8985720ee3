import { runMain } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import { endpoints } from "./endpoints.ts"
import { read } from "./options.ts"

/** Serves everything at `http://127.0.0.1:<port>/mcp`, and at `/sse`; the port is the argument. */
const program = Effect.gen(function* () {
  const { mcp, sse } = yield* endpoints(read(), Number(process.argv[2] ?? 0))
  process.stderr.write(sse === undefined ? `${mcp}\n` : `${mcp}\n${sse}\n`)
  return yield* Effect.never
})

runMain(Effect.scoped(program))
