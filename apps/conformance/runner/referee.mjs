/** The official suite: installed where it is pinned, started, and its verdicts read strictly. */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { binaries, root } from "../../../scripts/runtimes.mjs"

const folder = fileURLToPath(new URL("../referee", import.meta.url))
const suite = join(folder, "node_modules/@modelcontextprotocol/conformance")
const nothingExpected = join(folder, "expected-failures.yaml")

/** How long one run of the suite may take, in ms. */
const BOUND_MS = 5 * 60_000

const json = (path) => JSON.parse(readFileSync(path, "utf8"))

/** Installs the suite from its lock file, unless that very version is there. */
export const install = () => {
  const wanted = json(join(folder, "package.json")).dependencies["@modelcontextprotocol/conformance"]
  const manifest = join(suite, "package.json")
  if (existsSync(manifest) && json(manifest).version === wanted) return
  console.log(`npm ci in apps/conformance/referee (${wanted})`)
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"]
  const { status } = spawnSync("npm", args, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" })
  if (status !== 0) throw new Error(`npm ci ended with ${status}`)
}

/** The lines below a key of a requirement set. */
const section = (revision, key) => {
  const lines = readFileSync(join(suite, `requirements/${revision}.yaml`), "utf8").split("\n")
  const start = lines.indexOf(`${key}:`)
  if (start < 0) throw new Error(`the set ${revision} has no ${key}`)
  const length = lines.slice(start + 1).findIndex((line) => /^\w/.test(line))
  return length < 0 ? lines.slice(start + 1) : lines.slice(start + 1, start + 1 + length)
}

/** The scenarios that a requirement set scores, for one leg (`server`, `client`). */
export const scored = (revision, leg) =>
  section(revision, leg).flatMap((line) => /^\s+- (\S+)\s*$/.exec(line)?.[1] ?? [])

/** Those that it names and does not score. */
export const besides = (revision, leg) =>
  section(revision, "not_scored").flatMap((line, at, lines) => {
    const [, scenario] = /^\s+- scenario: (\S+)\s*$/.exec(line) ?? []
    return scenario !== undefined && lines[at + 1]?.trim() === `leg: ${leg}` ? [scenario] : []
  })

/** Runs the suite, whose verdicts go to `results`; what it prints is only shown when it leaves none. */
export const run = (leg, args, results) =>
  new Promise((resolve, reject) => {
    rmSync(results, { recursive: true, force: true })
    mkdirSync(results, { recursive: true })
    const all = [leg, ...args, "--expected-failures", nothingExpected, "-o", results]
    const child = spawn(binaries.node, [join(suite, "dist/index.js"), ...all], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"]
    })
    let said = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (said += part))
    const stop = () => child.kill("SIGKILL")
    process.once("exit", stop)
    const timer = setTimeout(stop, BOUND_MS)
    child.once("error", reject)
    child.once("close", (code, signal) => {
      clearTimeout(timer)
      process.off("exit", stop)
      if (readdirSync(results).length > 0) resolve()
      else reject(new Error(`the suite left no results (${signal ?? code}):\n${said.slice(-4_000)}`))
    })
  })

/** Added to every scenario by the suite itself; a server that says nothing passes it. */
const synthetic = new Set(["wire-schema-valid", "wire-schema-harness-error"])

const verdict = (checks) => {
  const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING")
  if (bad.length > 0)
    return { status: "failed", why: bad.map(({ errorMessage, id }) => `${id}: ${errorMessage ?? ""}`) }
  const isReal = checks.some(({ id, status }) => status === "SUCCESS" && !synthetic.has(id))
  return isReal ? { status: "passed", why: [] } : { status: "skipped", why: ["nothing was checked"] }
}

/** What the suite says of each scenario: it passed only with a success of its own, and without failure and warning. */
export const verdicts = (results) => {
  const found = new Map()
  for (const name of readdirSync(results, { recursive: true })) {
    const [, scenario] =
      new RegExp(`^(?:server-)?(.+)-\\d{4}-\\d\\d-\\d\\dT[^/\\\\]+[/\\\\]checks\\.json$`).exec(name) ?? []
    if (scenario !== undefined) found.set(scenario, verdict(json(join(results, name))))
  }
  return found
}
