/**
 * Runs the official conformance suite against our fixtures, server and client, on Node, then Bun, then Deno, and closes
 * with one line: `N passed, N failed`.
 *
 *     node apps/conformance/run.mjs [--on=node,deno] [--leg=client] [--set=2026-07-28 | --suite=all | --spec-version=2025-06-18] [--verbose]
 *
 * By default both requirement sets are run, and what they score is counted. A suite or a version counts all that it runs.
 */
import { rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { argvOf, runtimes, startServer } from "./runner/fixture.mjs"
import { besides, install, run, scored, verdicts } from "./runner/referee.mjs"

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

/** All that a run of the suite says of our server. */
const askServer = async (runtime, args, results) => {
  const server = await startServer(runtime)
  try {
    await run("server", ["--url", server.url, ...args], results)
  } finally {
    await server.end()
    if (values.verbose) console.log(server.said())
  }
  return verdicts(results)
}

const askClient = async (runtime, args, results) => {
  await run("client", ["--command", argvOf("client", runtime).join(" "), ...args], results)
  return verdicts(results)
}

/**
 * The scenarios of a set one by one, as many at once as there are cores: the suite itself starts a client for each that is
 * not judged as well, and all of them at once.
 */
const askClientEach = async (runtime, revision, results) => {
  const left = [...scored(revision, "client"), ...besides(revision, "client")].filter(isJudged)
  const found = new Map()
  rmSync(results, { recursive: true, force: true })
  const next = async () => {
    for (let scenario = left.shift(); scenario !== undefined; scenario = left.shift()) {
      try {
        const args = ["--scenario", scenario, "--spec-version", revision]
        const verdict = (await askClient(runtime, args, join(results, scenario))).get(scenario)
        if (verdict !== undefined) found.set(scenario, verdict)
      } catch (error) {
        found.set(scenario, { status: "failed", why: [error.message] })
      }
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, next))
  return found
}

const judge = async (runtime, leg, [kind, name]) => {
  const results = join(import.meta.dirname, "results", runtime, `${leg}-${kind}-${name}`)
  // by itself a version is only looked for in the suite of what is settled
  const args = [...(kind === "spec-version" ? ["--suite", "all"] : []), `--${kind}`, name]
  const found =
    leg === "server"
      ? await askServer(runtime, args, results)
      : kind === "requirements"
        ? await askClientEach(runtime, name, results)
        : await askClient(runtime, args, results)
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
  const extra = others.filter(([, { status }]) => status === "passed").length
  console.log(
    `${runtime} ${leg} ${kind} ${name}: ${good}/${judged.length}` +
      (skipped > 0 ? `, ${skipped} skipped` : "") +
      (others.length > 0 ? `, ${extra}/${others.length} not scored` : "")
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
