import { readFileSync } from "node:fs"
import process from "node:process"
import { runMain } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { children } from "./children.ts"
import { event, say } from "./output.ts"
import { read } from "./script.ts"
import { run } from "./run.ts"

/** What the library warns of is for the script as well. */
const warnings = Logger.make(({ logLevel, message }) => {
  if (logLevel === "Warn") event("warning", { message: String(Array.isArray(message) ? message.join(" ") : message) })
})

/** Runs the script at the path that is the last argument. */
const program = Effect.gen(function* () {
  yield* run(read(readFileSync(process.argv.at(-1) ?? "", "utf8")))
})

const rssMiB = (): number => Math.round(process.memoryUsage().rss / 2 ** 20)

runMain(
  Effect.scoped(program).pipe(
    Effect.andThen(Effect.sync(() => say({ done: true, rssMiB: rssMiB(), children: children() }))),
    Effect.provide(Logger.layer([warnings], { mergeWithExisting: true }))
  )
)
