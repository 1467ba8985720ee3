/**
 * Runs the official conformance suite against our fixtures, on Node, then Bun, then Deno, and closes with one line:
 * `N passed, N failed`.
 *
 *     node apps/conformance/run.mjs [--on=node,deno] [--set=2026-07-28 | --suite=all | --spec-version=2025-06-18] [--verbose]
 *
 * By default both requirement sets are run, and what they score is counted. A suite or a version counts all that it runs.
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { runtimes, startServer } from "./runner/fixture.mjs"
import { install, run, scored, verdicts } from "./runner/referee.mjs"

const list = { type: "string", multiple: true }
const { values } = parseArgs({
  options: { on: list, set: list, suite: list, "spec-version": list, verbose: { type: "boolean", default: false } }
})
const split = (given = []) => given.flatMap((each) => each.split(","))

/** One run of the suite for each; `scores` are the scenarios that have to pass, all that ran without them. */
const selections = [
  ...split(values.set).map((revision) => ["requirements", revision]),
  ...split(values.suite).map((suite) => ["suite", suite]),
  ...split(values["spec-version"]).map((version) => ["spec-version", version])
]
if (selections.length === 0) selections.push(["requirements", "2025-11-25"], ["requirements", "2026-07-28"])

const missing = { status: "failed", why: ["it did not run"] }

const judge = async (runtime, [kind, name]) => {
  const results = join(import.meta.dirname, "results", runtime, `server-${kind}-${name}`)
  const server = await startServer(runtime)
  try {
    // by itself a version is only looked for in the suite of what is settled
    const wide = kind === "spec-version" ? ["--suite", "all"] : []
    await run("server", ["--url", server.url, ...wide, `--${kind}`, name], results)
  } finally {
    await server.end()
    if (values.verbose) console.log(server.said())
  }
  const found = verdicts("server", results)
  const scores = kind === "requirements" ? scored(name, "server") : [...found.keys()]
  if (scores.length === 0) throw new Error(`nothing to score in ${kind} ${name}`)
  const judged = scores.map((scenario) => ({ scenario, ...(found.get(scenario) ?? missing) }))
  const others = [...found].filter(([scenario]) => !scores.includes(scenario))
  return { judged, others }
}

const count = (verdicts, status) => verdicts.filter((verdict) => verdict.status === status).length

process.once("SIGINT", () => process.exit(130))
process.once("SIGTERM", () => process.exit(143))

/** One line for one run, and one for each scenario that did not pass. */
const report = (runtime, [kind, name], { judged, others }) => {
  const good = count(judged, "passed")
  const skipped = count(judged, "skipped")
  const besides = others.filter(([, { status }]) => status === "passed").length
  console.log(
    `${runtime} server ${kind} ${name}: ${good}/${judged.length}` +
      (skipped > 0 ? `, ${skipped} skipped` : "") +
      (others.length > 0 ? `, ${besides}/${others.length} not scored` : "")
  )
  for (const { scenario, status, why } of judged) {
    if (status === "passed") continue
    console.log(`  ${status} ${scenario}`)
    for (const each of values.verbose ? why : why.slice(0, 1)) console.log(`    ${each}`)
  }
  // what is scored has to be seen; elsewhere the suite may skip what is optional
  return { passed: good, failed: judged.length - good - (kind === "requirements" ? 0 : skipped) }
}

install()
let [passed, failed] = [0, 0]
for (const runtime of split(values.on ?? runtimes)) {
  for (const selection of selections) {
    try {
      const counts = report(runtime, selection, await judge(runtime, selection))
      passed += counts.passed
      failed += counts.failed
    } catch (error) {
      failed++
      console.log(`${runtime} server ${selection.join(" ")}: ${error.message}`)
    }
  }
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
