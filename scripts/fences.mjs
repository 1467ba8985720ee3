/**
 * Every `ts` fence of the documentation is a program: it is type-checked against the built packages and run on Node, with stdin
 * closed and ten seconds. The word after `ts` says what else holds:
 *
 *     ts                  checked and run
 *     ts file=server.ts   the same, under this name, so that other fences of the page may start or import it
 *     ts no-run: reason   only checked
 */
import { execFile, spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { main, packages, repository, show, walk } from "./lib.mjs"

const seconds = 10
const together = 2

const pages = (root) => [
  ...[join(root, "README.md"), ...packages(root).map((name) => join(root, "packages", name, "README.md"))].filter(
    (path) => existsSync(path)
  ),
  ...walk(join(root, "docs")).filter((path) => path.endsWith(".md"))
]

/** The fences of a page: where each starts, what it says of itself, and its text. */
const fencesOf = (path) => {
  const found = []
  let open
  readFileSync(path, "utf8")
    .split(/\r?\n/)
    .forEach((text, index) => {
      const [, indent, marks, info] = /^(\s*)(`{3,}|~{3,})(.*)$/.exec(text) ?? []
      if (open === undefined) {
        if (marks !== undefined) open = { line: index + 1, indent, marks, info: info.trim(), code: [] }
      } else if (marks?.startsWith(open.marks) && info.trim() === "") {
        found.push(open)
        open = undefined
      } else open.code.push(text.startsWith(open.indent) ? text.slice(open.indent.length) : text.trimStart())
    })
  return { found, unclosed: open }
}

/** Reads the words after ```: `undefined` for another language, a rule when they say nothing known. */
const kind = (info) => {
  if (/^typescript\b/i.test(info)) return { rule: "write ts, so that the fence is checked" }
  if (!/^ts\b/.test(info)) return undefined
  const words = info.slice(2).trim()
  if (words === "") return { run: true }
  if (/^no-run\b/.test(words))
    return /^no-run: *\S{2}/.test(words) ? { run: false } : { rule: "no-run needs a reason: ts no-run: reason" }
  const name = /^file=([\w-]+\.ts)$/.exec(words)?.[1]
  return name === undefined ? { rule: `unknown words after ts: ${words}` } : { run: true, name }
}

const tail = (text) => text.trim().split("\n").slice(-6).join("\n    ")

/** Runs one program; says what went wrong. */
const run = (file) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [basename(file)], {
      cwd: dirname(file),
      stdio: ["ignore", "pipe", "pipe"],
      detached: process.platform !== "win32"
    })
    let output = ""
    let late = false
    child.stdout.on("data", (chunk) => (output += chunk))
    child.stderr.on("data", (chunk) => (output += chunk))
    const kill = () => {
      try {
        process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL")
      } catch {
        // It has ended by itself.
      }
    }
    const timer = setTimeout(() => {
      late = true
      kill()
    }, seconds * 1000)
    child.on("error", (error) => resolve(`does not start: ${error.message}`))
    child.on("close", (code, signal) => {
      clearTimeout(timer)
      kill()
      if (late) resolve(`still runs after ${seconds} seconds${output === "" ? "" : `\n    ${tail(output)}`}`)
      else resolve(code === 0 ? undefined : `ends with ${code ?? signal}\n    ${tail(output)}`)
    })
  })

const typecheck = (folder) =>
  new Promise((resolve) => {
    const tsc = join(repository, "node_modules/typescript/bin/tsc")
    execFile(
      process.execPath,
      [tsc, "-p", join(folder, "tsconfig.json"), "--pretty", "false"],
      { cwd: folder, maxBuffer: 1 << 26 },
      (error, stdout, stderr) => resolve(error === null ? "" : stdout + stderr || error.message)
    )
  })

export const check = async (root) => {
  const violations = []
  const folder = join(root, ".check", "fences")
  rmSync(folder, { recursive: true, force: true })
  const programs = new Map()
  for (const page of pages(root)) {
    const shown = show(root, page)
    const { found, unclosed } = fencesOf(page)
    if (unclosed !== undefined)
      violations.push({ file: shown, line: unclosed.line, rule: "this fence is never closed" })
    for (const { line, info, code } of found) {
      const { rule, run, name } = kind(info) ?? { run: undefined }
      if (rule !== undefined) violations.push({ file: shown, line, rule })
      if (run === undefined) continue
      const file = join(folder, shown.replace(/\.md$/, "").replaceAll("/", "--"), name ?? `line${line}.ts`)
      if (programs.has(file)) {
        violations.push({ file: shown, line, rule: `a second fence called ${name}` })
        continue
      }
      // Blank lines ahead keep the page's own line numbers in every message.
      const lines = [...Array(line).fill(""), ...code]
      const isModule = code.some((text) => /^\s*(import|export)\b/.test(text))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${lines.join("\n")}\n${isModule ? "" : "export {}\n"}`)
      programs.set(file, { shown, line, run })
    }
  }
  if (programs.size === 0) return { violations, note: "no ts fences" }
  const base = relative(folder, join(repository, "tsconfig.base.json"))
  const compilerOptions = { noEmit: true, noUnusedLocals: false, typeRoots: [join(repository, "node_modules/@types")] }
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: base.startsWith(".") ? base : `./${base}`, compilerOptions, include: ["**/*.ts"] })
  )
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }\n`)
  const output = await typecheck(folder)
  for (const message of output.split("\n").filter((text) => /^\S/.test(text))) {
    const [, file, line, text] = /^(.+?)\((\d+),\d+\): (.*)$/.exec(message) ?? []
    const program = programs.get(join(folder, file ?? ""))
    violations.push(
      program === undefined
        ? { file: "tsc", line: 0, rule: message }
        : { file: program.shown, line: Number(line), rule: text }
    )
  }
  const queue = [...programs].filter(([, { run }]) => run)
  const ran = queue.length
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [file, { shown, line }] = next
      const wrong = await run(file)
      if (wrong !== undefined) violations.push({ file: shown, line, rule: wrong })
    }
  }
  await Promise.all(Array.from({ length: together }, worker))
  return { violations, note: `${programs.size} ts fences checked, ${ran} run` }
}

await main(import.meta, check)
