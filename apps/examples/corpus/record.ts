/**
 * Asks every server here all that the detector may ask one, and writes down what it answers, for the detector's tests:
 * `record.ts [name …]`. What is not installed stays as it was recorded before.
 */
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Entry } from "@effective-mcp/detector/test/Entry"
import * as Effect from "effect/Effect"
import { answers, questions } from "./ask.ts"
import { odd, serveOdd } from "./odd.ts"
import { real } from "./real.ts"

const folder = new URL("../../../packages/detector/test/corpus/", import.meta.url)

const starts = {
  ...real,
  ...Object.fromEntries(Object.entries(odd).map(([name, listener]) => [name, serveOdd(listener)]))
}

const wanted = process.argv.slice(2)
for (const [name, start] of Object.entries(starts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const recorded = Effect.gen(function* () {
    const url = yield* start
    const asked = yield* questions(url)
    return yield* Effect.promise(() => answers(asked))
  })
  const entry: Entry = { name, answers: await Effect.runPromise(Effect.scoped(recorded)) }
  writeFileSync(fileURLToPath(new URL(`${name}.json`, folder)), `${JSON.stringify(entry, undefined, 2)}\n`)
  console.log(name)
}
process.exit()
