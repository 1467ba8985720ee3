/**
 * Everything that must hold before a merge, but for the tests: `pnpm check [part of a name …]`. Prints what fails and closes with
 * one line: `N passed, N failed`.
 */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { packages, repository } from "./lib.mjs"

const together = 2
const bound = 5 * 60_000

const node = (script) => [process.execPath, join("scripts", `${script}.mjs`)]
const exec = (...command) => ["pnpm", "exec", ...command]

/** What tests share: exports of a package that are not published. */
const shared = (name) =>
  Object.keys(JSON.parse(readFileSync(join(repository, "packages", name, "package.json"), "utf8")).exports).filter(
    (entry) => entry.startsWith("./test/")
  )
const except = (entries) => (entries.length === 0 ? [] : ["--exclude-entrypoints", ...entries])

/** Each stage starts when the one before it has ended; within a stage two run at a time. */
const stages = [
  [{ name: "build", command: exec("turbo", "run", "build", "--output-logs=errors-only") }],
  [
    { name: "types", command: exec("tsc", "-p", "tsconfig.json") },
    { name: "lint", command: exec("oxlint", "--deny-warnings") },
    { name: "format", command: exec("oxfmt", "--check") },
    { name: "self-check of the scripts", command: node("selfCheck") },
    { name: "boundaries", command: node("boundaries") },
    { name: "versions", command: node("versions") },
    { name: "Effect imports", command: node("effectImports") },
    { name: "size", command: node("size") },
    { name: "hygiene", command: node("hygiene") },
    { name: "behaviours", command: node("behaviours") },
    { name: "spec map", command: [...node("specMap"), "--check"] },
    { name: "fences", command: node("fences") },
    ...packages(repository).flatMap((name) => [
      { name: `publint ${name}`, command: exec("publint", "--strict"), folder: join("packages", name) },
      {
        name: `attw ${name}`,
        command: exec("attw", "--pack", "--profile", "esm-only", "--no-emoji", ...except(shared(name))),
        folder: join("packages", name)
      }
    ])
  ]
]

const run = ({ command: [file, ...args], folder = "." }) =>
  new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: join(repository, folder),
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", TURBO_TELEMETRY_DISABLED: "1" },
      shell: process.platform === "win32",
      timeout: bound
    })
    let output = ""
    child.stdout.on("data", (chunk) => (output += chunk))
    child.stderr.on("data", (chunk) => (output += chunk))
    child.on("error", (error) => resolve({ ok: false, output: error.message }))
    child.on("close", (code, signal) =>
      resolve({ ok: code === 0, output: code === null ? `${output}\nended by ${signal}` : output })
    )
  })

const wanted = process.argv.slice(2).filter((arg) => arg !== "--")
const isWanted = ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part))

let [passed, failed] = [0, 0]
for (const stage of stages) {
  const queue = stage.filter(isWanted)
  const worker = async () => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
      const start = performance.now()
      const { ok, output } = await run(check)
      const time = `${((performance.now() - start) / 1000).toFixed(1)} s`
      if (ok) passed += 1
      else failed += 1
      const text = output.trimEnd()
      const note = ok ? (/\n/.test(text) || check.command[0] === "pnpm" ? "" : text) : ""
      console.log(
        `${ok ? "ok    " : "FAILED"} ${check.name} (${time})${note === "" ? "" : `: ${note}`}${ok || text === "" ? "" : `\n${text.replace(/^/gm, "    ")}`}`
      )
    }
  }
  await Promise.all(Array.from({ length: together }, worker))
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
