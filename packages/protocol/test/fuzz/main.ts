/**
 * A run of the targets outside the tests: `main.ts [--inputs=N] [--ms=N] [--target=name,…] [--seed=N] [--replay=name:seed:path]`.
 * Prints a line for each target, and what does not hold.
 */
import { parseArgs } from "node:util"
import { anySeed, line, parseReplay } from "./Target.ts"
import { targets } from "./targets.ts"

const { values } = parseArgs({
  options: {
    inputs: { type: "string" },
    ms: { type: "string" },
    target: { type: "string", multiple: true },
    seed: { type: "string" },
    replay: { type: "string" }
  }
})
const replay = values.replay === undefined ? undefined : parseReplay(values.replay)
const wanted = replay === undefined ? values.target?.flatMap((names) => names.split(",")) : [replay.name]
const unknown = wanted?.find((name) => !targets.some((target) => target.name === name))
if (unknown !== undefined)
  throw new Error(`no such target: ${unknown}; there are ${targets.map(({ name }) => name).join()}`)

const ms = values.ms === undefined ? undefined : Number(values.ms)
const inputs = Number(values.inputs ?? (ms === undefined ? 100_000 : 1_000_000_000))

let failed = 0
for (const target of targets) {
  if (wanted !== undefined && !wanted.includes(target.name)) continue
  const report = target.run({
    inputs,
    ms,
    seed: replay?.seed ?? (values.seed === undefined ? anySeed() : Number(values.seed)),
    path: replay?.path
  })
  console.log(line(report))
  if (report.failure === undefined) continue
  failed++
  console.log(report.failure)
}
process.exitCode = failed > 0 ? 1 : 0
