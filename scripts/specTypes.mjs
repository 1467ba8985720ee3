/** Where each definition of the published schemas is defined in each revision, through every re-export. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parse, show, walk } from "./lib.mjs"

const fixtures = "packages/protocol/test/revision/fixtures"

/** The folder of a revision's schemas. */
export const folderOf = (version) => `packages/protocol/src/revision/v${version.replaceAll("-", "_")}`

/** Every revision with the names of its definitions, newest first. */
export const revisions = (root) =>
  walk(join(root, fixtures))
    .filter((path) => path.endsWith(".schema.json"))
    .map((path) => {
      const { $defs, definitions } = JSON.parse(readFileSync(path, "utf8"))
      return { version: show(join(root, fixtures), path).slice(0, 10), names: Object.keys(definitions ?? $defs) }
    })
    .reverse()

const nameOf = (node) => node.name ?? node.value

/** Where a statement has a name from: "here", or another file and the name there. */
const from = (statement, name, specifier) => {
  if (statement.type === "ExportNamedDeclaration" && statement.declaration) {
    const { declarations, id } = statement.declaration
    return [id, ...(declarations ?? []).map((one) => one.id)].some((one) => one?.name === name) ? "here" : undefined
  }
  for (const { exported, imported, local } of statement.specifiers ?? []) {
    if (statement.type === specifier && nameOf(exported ?? local) === name)
      return { source: statement.source?.value, name: nameOf(exported ? local : (imported ?? local)) }
  }
}

/** Looks names up, each file parsed once. */
export const finder = (root) => {
  const files = new Map()
  const body = (path) => {
    if (!files.has(path)) files.set(path, existsSync(path) ? parse(path).program.body : [])
    return files.get(path)
  }
  const find = (path, name) => {
    const statements = body(path)
    const first = (specifier) => (wanted) => {
      for (const statement of statements) {
        const found = from(statement, wanted, specifier)
        if (found !== undefined) return found
      }
    }
    const exported = first("ExportNamedDeclaration")(name)
    if (exported === "here") return { file: show(root, path), name }
    if (exported !== undefined) {
      const origin = exported.source === undefined ? first("ImportDeclaration")(exported.name) : exported
      return origin?.source === undefined
        ? { file: show(root, path), name: exported.name }
        : find(join(dirname(path), origin.source), origin.name)
    }
    for (const { source, type } of statements) {
      const found = type === "ExportAllDeclaration" ? find(join(dirname(path), source.value), name) : undefined
      if (found !== undefined) return found
    }
  }
  return (version, name) => find(join(root, folderOf(version), "schemas.ts"), name)
}
