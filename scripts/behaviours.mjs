/**
 * docs/behaviours.md is complete: every id in the title of a test stands in its table (id, rule, source), and every id of the table
 * is in the title of a test. Titles are asked of vitest, which collects them without running, so that generated ones count too.
 */
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { main, show } from "./lib.mjs"

const id = /(?<![\w-])(?:[TCSR]-\d+|[A-Z]{3,4}-\d+)(?![\w-])/g
const page = "docs/behaviours.md"

/** Names of standards that look like ids. */
const standards = /^(AES|ISO|RFC|SEP|SHA|UTF)-/

const idsIn = (text) => [...text.matchAll(id)].map(([found]) => found).filter((found) => !standards.test(found))

/** The titles of all tests, `{ name, file }`, as vitest collects them. */
const collect = (root) =>
  new Promise((resolve, reject) => {
    const folder = mkdtempSync(join(tmpdir(), "titles-"))
    const output = join(folder, "titles.json")
    const vitest = join(root, "node_modules/vitest/vitest.mjs")
    execFile(
      process.execPath,
      [vitest, "list", `--json=${output}`],
      { cwd: root, maxBuffer: 1 << 26, timeout: 120_000 },
      (error, stdout, stderr) => {
        const titles = existsSync(output) ? JSON.parse(readFileSync(output, "utf8")) : undefined
        rmSync(folder, { recursive: true, force: true })
        if (error === null && titles !== undefined) resolve(titles)
        else reject(new Error(`vitest could not collect the tests\n${stdout}${stderr}`.trim()))
      }
    )
  })

/** The table: each id with its line; rows that lack a rule or a source are violations. */
const table = (path, violations) => {
  const rows = new Map()
  if (!existsSync(path)) return rows
  readFileSync(path, "utf8")
    .split("\n")
    .forEach((text, index) => {
      if (!/^\s*\|/.test(text)) return
      const cells = text
        .trim()
        .replace(/^\||\|$/g, "")
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
      const [first] = idsIn(cells[0])
      const line = index + 1
      if (first === undefined) return
      if (rows.has(first))
        violations.push({ file: page, line, rule: `${first} has a row already, on line ${rows.get(first)}` })
      if (cells.length !== 3 || cells.some((cell) => cell === ""))
        violations.push({ file: page, line, rule: `${first} needs three cells: id, rule, source` })
      rows.set(first, line)
    })
  return rows
}

const lineOf = (path, found) => {
  if (!existsSync(path)) return 1
  const index = readFileSync(path, "utf8")
    .split("\n")
    .findIndex((text) => text.includes(found))
  return index < 0 ? 1 : index + 1
}

export const check = async (root, titles = collect(root)) => {
  const violations = []
  const rows = table(join(root, page), violations)
  const proved = new Map()
  for (const { name, file } of await titles)
    for (const found of idsIn(name)) if (!proved.has(found)) proved.set(found, file)
  for (const [found, file] of proved)
    if (!rows.has(found))
      violations.push({ file: show(root, file), line: lineOf(file, found), rule: `${found} is missing from ${page}` })
  for (const [found, line] of rows)
    if (!proved.has(found)) violations.push({ file: page, line, rule: `no test names ${found}` })
  return { violations, note: `${proved.size} behaviours proved` }
}

await main(import.meta, check)
