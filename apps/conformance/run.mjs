/**
 * Runs the official conformance suite against our fixtures, server and client, on Node, then Bun, then Deno, and closes
 * with one line: `N passed, N failed`.
 *
 *     node apps/conformance/run.mjs [--on=node,deno] [--leg=client] [--set=2026-07-28 | --suite=all | --spec-version=2025-06-18] [--verbose]
 *
 * By default both requirement sets are run, and what they score is counted. A suite or a version counts all that it runs.
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { argvOf, runtimes, startServer } from "./runner/fixture.mjs"
import { install, run, scored, verdicts } from "./runner/referee.mjs"

const list = { type: "string", multiple: true }
const { values } = parseArgs({
  options: {
    on: list,
    leg: list,
    set: list,
    suite: list,
    "spec-version": list,
    verbose: { type: "boolean", default: false }
  }
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

/** Authorization is no part of the packages that are judged. */
const isJudged = (scenario) => !scenario.startsWith("auth/")

const runServer = async (runtime, args, results) => {
  const server = await startServer(runtime)
  try {
    await run("server", ["--url", server.url, ...args], results)
  } finally {
    await server.end()
    if (values.verbose) console.log(server.said())
  }
}

const runClient = (runtime, args, results) =>
  run("client", ["--command", argvOf("client", runtime).join(" "), ...args], results)

const judge = async (runtime, leg, [kind, name]) => {
  const results = join(import.meta.dirname, "results", runtime, `${leg}-${kind}-${name}`)
  // by itself a version is only looked for in the suite of what is settled
  const wide = kind === "spec-version" ? ["--suite", "all"] : []
  await (leg === "server" ? runServer : runClient)(runtime, [...wide, `--${kind}`, name], results)
  const found = verdicts(results)
  const scores = (kind === "requirements" ? scored(name, leg) : [...found.keys()]).filter(isJudged)
  if (scores.length === 0) throw new Error(`nothing to score in ${kind} ${name}`)
  const judged = scores.map((scenario) => ({ scenario, ...(found.get(scenario) ?? missing) }))
  const others = [...found].filter(([scenario]) => isJudged(scenario) && !scores.includes(scenario))
  return { judged, others }
}

const count = (verdicts, status) => verdicts.filter((verdict) => verdict.status === status).length

process.once("SIGINT", () => process.exit(130))
process.once("SIGTERM", () => process.exit(143))

/** One line for one run, and one for each scenario that did not pass. */
const report = (runtime, leg, [kind, name], { judged, others }) => {
  const good = count(judged, "passed")
  const skipped = count(judged, "skipped")
  const besides = others.filter(([, { status }]) => status === "passed").length
  console.log(
    `${runtime} ${leg} ${kind} ${name}: ${good}/${judged.length}` +
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
  for (const leg of split(values.leg ?? ["server", "client"])) {
    for (const selection of selections) {
      try {
        const counts = report(runtime, leg, selection, await judge(runtime, leg, selection))
        passed += counts.passed
        failed += counts.failed
      } catch (error) {
        failed++
        console.log(`${runtime} ${leg} ${selection.join(" ")}: ${error.message}`)
      }
    }
  }
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
