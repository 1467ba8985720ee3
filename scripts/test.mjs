/**
 * Runs the tests on Node, then Bun, then Deno, and closes with one line: `N passed, N failed`.
 *
 *     node scripts/test.mjs [--on=node,deno] [what vitest takes: paths, -t name, …]
 */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { binaries, root } from "./runtimes.mjs"

const bound = 10 * 60_000
const windows = process.platform === "win32"

const vitest = join(root, "node_modules/vitest/vitest.mjs")
const runtimes = {
  node: [binaries.node, [vitest]],
  bun: [binaries.bun, ["--bun", vitest]],
  deno: [binaries.deno, ["run", "-A", vitest]]
}

const kill = (child) => {
  try {
    if (windows) spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"])
    else process.kill(-child.pid, "SIGKILL")
  } catch {
    // It has ended by itself.
  }
}

/** One run of all tests on one runtime. A run that leaves no counts is one failure. */
const run = (name, args) =>
  new Promise((resolve) => {
    const [command, start] = runtimes[name]
    const folder = mkdtempSync(join(tmpdir(), "counts-"))
    const file = join(folder, "counts.json")
    const reporters = ["--reporter=default", `--reporter=${join(root, "scripts/reporter.mjs")}`]
    const child = spawn(command, [...start, "run", ...reporters, ...args], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, COUNTS: file, ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }) },
      detached: !windows
    })
    let wrong
    const stop = () => kill(child)
    process.once("exit", stop)
    const timer = setTimeout(() => {
      wrong = `stopped after ${bound / 60_000} minutes`
      kill(child)
    }, bound)
    const settle = (code) => {
      clearTimeout(timer)
      process.off("exit", stop)
      kill(child)
      const counts = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { passed: 0, failed: 0, skipped: 0 }
      rmSync(folder, { recursive: true, force: true })
      if (code !== 0 && counts.failed === 0) {
        counts.failed = 1
        wrong ??= `ended with ${code}`
      }
      resolve({ ...counts, wrong })
    }
    child.once("error", (error) => {
      wrong = error.message
      settle(null)
    })
    child.once("close", settle)
  })

const [chosen, rest] = [
  process.argv.slice(2).filter((arg) => arg.startsWith("--on=")),
  process.argv.slice(2).filter((arg) => !arg.startsWith("--on=") && arg !== "--")
]
const names = chosen.length > 0 ? chosen.flatMap((arg) => arg.slice("--on=".length).split(",")) : Object.keys(runtimes)
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1))

const results = []
for (const name of names) {
  if (runtimes[name] === undefined) throw new Error(`no such runtime: ${name}`)
  results.push([name, await run(name, rest)])
}
let [passed, failed] = [0, 0]
console.log()
for (const [name, counts] of results) {
  passed += counts.passed
  failed += counts.failed
  console.log(
    `${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped${counts.wrong === undefined ? "" : ` (${counts.wrong})`}`
  )
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
