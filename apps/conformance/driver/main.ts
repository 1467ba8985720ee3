import { readFileSync } from "node:fs"
import process from "node:process"
import { runMain } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { children } from "./children.ts"
import { event, say } from "./output.ts"
import { run } from "./run.ts"
import { read, reading, ScriptError } from "./script.ts"

/** What the library warns of is for the script as well. */
const warnings = Logger.make(({ logLevel, message }) => {
  if (logLevel === "Warn") event("warning", { message: [message].flat().map(String).join(" ") })
})

const rssMiB = (): number => Math.round(process.memoryUsage().rss / 2 ** 20)

/** The script at the path that is the last argument. */
const load = () => {
  const path = process.argv.slice(2).at(-1)
  if (path === undefined) throw new ScriptError("no script: the last argument is the path of one")
  return run(read(reading("the script cannot be opened", () => readFileSync(path, "utf8"))))
}

const program = Effect.suspend(() => Effect.scoped(load())).pipe(
  Effect.andThen(Effect.sync(() => say({ done: true, rssMiB: rssMiB(), children: children() }))),
  // a script that cannot be run is none that has failed
  Effect.catchDefect((defect) =>
    defect instanceof ScriptError
      ? Effect.sync(() => {
          process.stderr.write(`${defect.message}\n`)
          process.exitCode = 2
        })
      : Effect.die(defect)
  )
)

runMain(Effect.provide(program, Logger.layer([warnings], { mergeWithExisting: true })))
