/** Links to the specification: where sources and pages have them, what each `@see` stands before, and which of them lead nowhere. */
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { appFiles, packageFiles, packages, parse, show, text, visit, walk } from "./lib.mjs"

export const site = "https://modelcontextprotocol.io/specification/"

const link = /https:\/\/modelcontextprotocol\.io\/specification\/([\w./-]*[\w-])(?:#([\w%.-]*[\w%-]))?/g
const see = /@see\s+(https:\/\/modelcontextprotocol\.io\/specification\/\S+)/g

const idsOf = (declaration) =>
  declaration.type === "VariableDeclaration"
    ? declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []))
    : declaration.id
      ? [declaration.id.name]
      : []

const nameOf = (node) => node.name ?? node.value

/** What a file exports of its own declarations under a list at its end: from the name inside to the one outside. */
const listed = (program) =>
  new Map(
    program.body
      .filter(({ declaration, source, type }) => type === "ExportNamedDeclaration" && !declaration && !source)
      .flatMap(({ specifiers }) => specifiers.map(({ exported, local }) => [nameOf(local), nameOf(exported)]))
  )

/** The exports that a statement makes. */
const exportsOf = (statement, outside) => {
  if (statement?.type === "ExportNamedDeclaration")
    return statement.declaration
      ? idsOf(statement.declaration)
      : statement.specifiers.map(({ exported }) => nameOf(exported))
  return statement === undefined ? [] : idsOf(statement).flatMap((name) => outside.get(name) ?? [])
}

const parts = (url) => {
  const [[, page, anchor] = []] = [...url.matchAll(link)]
  return { page, anchor }
}

/** Every `@see` of the packages' sources: its page and anchor, and the exports it stands before; the file where there are none. */
export const tags = (root) =>
  packageFiles(root, "src").flatMap((path) => {
    if (!readFileSync(path, "utf8").includes(site)) return []
    const file = parse(path)
    const outside = listed(file.program)
    return file.comments.flatMap((comment) =>
      [...comment.value.matchAll(see)].map(([, url]) => {
        const names = exportsOf(
          file.program.body.find(({ end }) => end > comment.end),
          outside
        )
        return { ...parts(url), file: show(root, path), names: names.length > 0 ? names : [basename(path)] }
      })
    )
  })

const inCode = (path) => {
  const file = parse(path)
  const found = file.comments.map(({ start, value }) => ({ line: file.line(start), value }))
  visit(file.program, (node) => {
    const value = text(node)
    if (value !== undefined) found.push({ line: file.line(node.start), value })
  })
  return found
}

const inPage = (path) =>
  readFileSync(path, "utf8")
    .split("\n")
    .map((value, index) => ({ line: index + 1, value }))

/** Links that lead to no page, to no place on it, or to where a page has moved away from. */
export const dead = (root, generated) => {
  const { moved, pages } = JSON.parse(readFileSync(join(root, "scripts/specPages.json"), "utf8"))
  const rule = (page, anchor) => {
    if (Object.hasOwn(moved, page)) return `${page} has moved to ${moved[page]}`
    if (!Object.hasOwn(pages, page)) return `the specification has no page ${page}`
    if (anchor !== undefined && !pages[page].split(" ").includes(anchor)) return `${page} has no place #${anchor}`
  }
  const sources = [...packageFiles(root, "src"), ...packageFiles(root, "test"), ...appFiles(root)]
  const readMes = packages(root).map((name) => join(root, "packages", name, "README.md"))
  const prose = [...walk(join(root, "docs")), ...readMes, join(root, "README.md"), join(root, "CONTRIBUTING.md")]
  return [
    ...sources.map((path) => ({ path, read: inCode })),
    ...prose
      .filter((path) => path.endsWith(".md") && show(root, path) !== generated)
      .map((path) => ({ path, read: inPage }))
  ].flatMap(({ path, read }) => {
    if (!existsSync(path) || !readFileSync(path, "utf8").includes(site)) return []
    return read(path).flatMap(({ line, value }) =>
      [...value.matchAll(link)].flatMap((match) => {
        const found = rule(match[1], match[2])
        const below = value.slice(0, match.index).split("\n").length - 1
        return found === undefined ? [] : [{ file: show(root, path), line: line + below, rule: found }]
      })
    )
  })
}
