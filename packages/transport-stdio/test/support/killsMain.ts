/** Kills a process under calls more often than the tests do, and prints what became of them; `scripts/kills.mjs` runs it. */
import * as Effect from "effect/Effect"
import { Restart, runMain } from "../../src/index.ts"
import { killing } from "./kills.ts"

const times = Number(process.argv[2] ?? 1_000)

const show = (value: unknown): void => void process.stdout.write(`${String(value)}\n`)

runMain(
  Effect.gen(function* () {
    for (const restart of [Restart.lazy, Restart.eager(3)]) {
      const begun = performance.now()
      const { calls, errors, kills, late, processes, repeated, slowestMs, values, zombies } = yield* killing(
        times / 2,
        restart,
        (tally) => {
          if (tally.kills % 100 === 0) show(`${restart._tag}: ${tally.kills} kills, ${tally.late} late`)
        }
      )
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
      show(
        `${restart._tag}: ${kills} kills of ${processes} processes in ${seconds} s, ${calls} calls: ${values} values`
      )
      for (const [what, count] of errors) show(`  ${count} ${what}`)
      show(`  ${late} without an end 1 s after the kill (the slowest took ${slowestMs.toFixed(0)} ms)`)
      show(`  ${repeated} repeated calls of tools, ${zombies} zombies`)
      const lost = [...errors.values()].reduce((sum, count) => sum + count, 0)
      if (late + repeated + zombies > 0 || values + lost !== calls || processes !== kills) process.exitCode = 1
    }
  })
)
