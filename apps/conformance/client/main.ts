import process from "node:process"
import { runMain } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import { context } from "./context.ts"
import { scenarios } from "./scenarios.ts"

/** Does what the scenario in the environment asks for, at the URL that is the last argument. */
const program = Effect.gen(function* () {
  const { scenario } = context
  const act = Object.hasOwn(scenarios, scenario) ? scenarios[scenario] : undefined
  const url = process.argv.at(-1)
  if (act === undefined || url === undefined) return yield* Effect.die(new Error(`there is no scenario ${scenario}`))
  return yield* act(url)
})

runMain(Effect.scoped(program))
