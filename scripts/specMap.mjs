/**
 * docs/spec-map.md leads from the specification to the sources: where each of its types is defined in each revision, and what
 * stands for each of its pages, as the `@see` tags have it. `node scripts/specMap.mjs` writes it; `--check` only looks whether it
 * would change. Both fail when a type has no definition or a link to the specification leads nowhere.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { main } from "./lib.mjs"
import { dead, site, tags } from "./specLinks.mjs"
import { finder, folderOf, revisions } from "./specTypes.mjs"

const page = "docs/spec-map.md"

const head = `# From the specification to the sources

Written by \`node scripts/specMap.mjs\` from the sources and their \`@see\` tags; a check holds that it is up to date. First
every type of the published schemas, then the pages of the specification. Users see the neutral
[model](../packages/protocol/src/model); what is defined below is what each revision has on the wire.
`

const linked = (name, file) => `[${name}](../${file})`

const row = (...cells) => `| ${cells.join(" | ")} |`

const table = (titles, rows) => [row(...titles), row(...titles.map(() => "---")), ...rows].join("\n")

const byName = (a, b) => a.localeCompare(b, "en") || (a < b ? -1 : 1)

/** Where a revision defines a type; under which name when it has another. */
const cell = (version, name, found) => {
  const same = /\/v(\d{4})_(\d\d)_(\d\d)\//.exec(found.file)?.slice(1).join("-")
  const where = linked(same === version || !same ? basename(found.file) : `same as ${same}`, found.file)
  return found.name === name ? where : `${where}, \`${found.name}\``
}

const types = (all, find, violations) => {
  const names = [...new Set(all.flatMap(({ names }) => names))].sort(byName)
  const rows = names.map((name) =>
    row(
      `\`${name}\``,
      ...all.map((revision) => {
        if (!revision.names.includes(name)) return "–"
        const found = find(revision.version, name)
        if (found !== undefined) return cell(revision.version, name, found)
        violations.push({ file: `${folderOf(revision.version)}/schemas.ts`, line: 1, rule: `${name} is not defined` })
        return "missing"
      })
    )
  )
  return `## Types\n\n${table(["Type", ...all.map(({ version }) => version)], rows)}\n`
}

/** What of the project a file belongs to, unless it is the revision itself. */
const label = (version, file) => {
  if (file.startsWith(`${folderOf(version)}/`)) return ""
  const [, name, , ...below] = file.split("/")
  return below.length > 1 ? `${name}/${below[0]}: ` : `${name}: `
}

/** All that stands for one place of the specification: the revision first, then part by part. */
const places = (version, found) => {
  const groups = new Map()
  for (const { file, names } of found) {
    const group = label(version, file)
    groups.set(group, [...(groups.get(group) ?? []), ...names.map((name) => linked(name, file))])
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, names]) => group + [...new Set(names)].join(", "))
    .join(" · ")
}

/** Pages of one revision. What the page of the schema says of a type stands in the table of types. */
const pages = ({ names, version }, all) => {
  const own = `${folderOf(version)}/`
  const rows = new Map()
  for (const tag of all) {
    if (tag.page !== version && !tag.page.startsWith(`${version}/`)) continue
    const isType = tag.page === `${version}/schema` && tag.file.startsWith(own)
    const rest = isType ? tag.names.filter((name) => !names.includes(name)) : tag.names
    const place = tag.anchor === undefined ? tag.page : `${tag.page}#${tag.anchor}`
    if (rest.length > 0) rows.set(place, [...(rows.get(place) ?? []), { ...tag, names: rest }])
  }
  const lines = [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([place, found]) =>
      row(
        `[${place === version ? "overview" : place.slice(version.length + 1)}](${site}${place})`,
        places(version, found)
      )
    )
  return `## ${version}\n\n${table(["Page", "Where it stands"], lines)}\n`
}

const made = (root) => {
  const violations = dead(root, page)
  const all = revisions(root)
  const found = tags(root)
  const index = types(all, finder(root), violations)
  return { violations, text: [head, index, ...all.map((revision) => pages(revision, found))].join("\n") }
}

const first = (a, b) => a.findIndex((line, index) => line !== b[index])

/** The page is what would be written now. */
export const check = (root) => {
  const { text, violations } = made(root)
  const path = join(root, page)
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : []
  const wanted = text.split("\n")
  if (lines.join("\n") !== text) {
    const line = first(wanted, lines) + 1 || wanted.length
    violations.push({ file: page, line, rule: `is not up to date: node scripts/specMap.mjs writes it` })
  }
  return { violations }
}

const write = (root) => {
  const { text, violations } = made(root)
  writeFileSync(join(root, page), text)
  return { violations }
}

await main(import.meta, process.argv.includes("--check") ? check : write)
