/** What the checks share: reading the repository, parsing TypeScript, and reporting. */
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { dirname, extname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync } from "oxc-parser"

export const scope = "@effective-mcp/"
export const repository = resolve(dirname(fileURLToPath(import.meta.url)), "..")

const skipped = new Set(["node_modules", "dist", ".git", ".turbo", ".check", "coverage"])

/** Every file below a folder, sorted; none when there is no such folder. */
export const walk = (folder) => {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? walk(path) : entry.isFile() ? [path] : []
    })
}

const folders = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "package.json")))
        .map((entry) => entry.name)
        .sort()
    : []

export const packages = (root) => folders(join(root, "packages"))
export const apps = (root) => folders(join(root, "apps"))

const isTypeScript = (path) => extname(path) === ".ts" && !path.endsWith(".d.ts")

/** The TypeScript files of one part ("src", "test") of every package. */
export const packageFiles = (root, part) =>
  packages(root).flatMap((name) => walk(join(root, "packages", name, part)).filter(isTypeScript))

export const appFiles = (root) => walk(join(root, "apps")).filter(isTypeScript)

export const isTest = (path) => path.split(sep).includes("test")

/** The path as it is printed: from the root, with slashes. */
export const show = (root, path) => relative(root, path).split(sep).join("/")

/** The package a path lies in: `packages/<name>` or `apps/<name>`. */
export const owner = (root, path) => show(root, path).split("/").slice(0, 2)

/** A parsed file: its tree, its comments, and the line of an offset. */
export const parse = (path) => {
  const text = readFileSync(path, "utf8")
  const { program, comments, errors } = parseSync(path, text)
  const starts = [0]
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1)
  const line = (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
  return { path, text, program, comments, errors, line }
}

/** Calls `enter` on every node of a tree, parents first. */
export const visit = (node, enter, parent) => {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, enter, parent)
    return
  }
  if (node === null || typeof node !== "object") return
  const isNode = typeof node.type === "string"
  if (isNode) enter(node, parent)
  for (const key in node) {
    if (key !== "type" && key !== "start" && key !== "end") visit(node[key], enter, isNode ? node : parent)
  }
}

/** Everything a file imports, also by `export from`, `import()` and `import("…").Type`. */
export const imports = (file) => {
  const found = []
  const add = (source, node, kind) => {
    if (source?.type === "Literal" && typeof source.value === "string")
      found.push({ specifier: source.value, line: file.line(source.start), typeOnly: kind === "type", node })
  }
  visit(file.program, (node) => {
    switch (node.type) {
      case "ImportDeclaration":
        return add(node.source, node, node.importKind)
      case "ExportNamedDeclaration":
      case "ExportAllDeclaration":
        return add(node.source, node, node.exportKind)
      case "ImportExpression":
        return add(node.source, node)
      case "TSImportType":
        return add(node.source ?? node.argument?.literal ?? node.argument, node, "type")
    }
  })
  return found
}

/** The text of a string literal or of one piece of a template. */
export const text = (node) =>
  node.type === "Literal" && typeof node.value === "string"
    ? node.value
    : node.type === "TemplateElement"
      ? (node.value.cooked ?? node.value.raw)
      : undefined

/** Lines on which a comment of the form `// <word>: reason` excuses a finding: its own and the next. */
export const excused = (file, word) => {
  const lines = new Set()
  const pattern = new RegExp(`^\\s*${word}: \\S{2,}`)
  for (const comment of file.comments) {
    if (!pattern.test(comment.value)) continue
    const line = file.line(comment.end)
    lines.add(line).add(line + 1)
  }
  return lines
}

/**
 * Runs a check when its file is what Node was started with: `node scripts/<name>.mjs [root]`; options are its own. Prints
 * `file:line rule` for each violation and exits with 1 if there was one.
 */
export const main = async (meta, check) => {
  if (process.argv[1] === undefined || resolve(process.argv[1]) !== fileURLToPath(meta.url)) return
  const root = process.argv.slice(2).find((arg) => !arg.startsWith("--")) ?? repository
  const { violations, note } = await check(resolve(root))
  for (const { file, line, rule } of violations) console.log(`${file}:${line} ${rule}`)
  if (note !== undefined) console.log(note)
  if (violations.length > 0) {
    console.log(`${violations.length} violation${violations.length === 1 ? "" : "s"}`)
    process.exitCode = 1
  }
}
