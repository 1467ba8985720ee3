/**
 * Writes scripts/specPages.json, the pages of the published specification and the anchors of each: `node scripts/specPages.mjs
 * <folder>`, where the folder is a checkout of https://github.com/modelcontextprotocol/modelcontextprotocol. Run it when a revision
 * is added; `specMap` holds links against the list, so that checking them needs no network.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { repository, show, walk } from "./lib.mjs"

const dated = /^\d{4}-\d\d-\d\d(\/|$)/

/** The anchor of a heading as the site makes it: `HTTP+SSE Transport (2024-11-05)` has `http%2Bsse-transport-2024-11-05`. */
const slug = (heading) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[/:&+]/g, encodeURIComponent)
    .replace(/[^\p{L}\p{N}\s%_-]/gu, "")
    .replace(/[\s_-]+/g, "-")
    .replace(/^-|-$/g, "")

const anchors = (text) => {
  const seen = new Map()
  const prose = text.replace(/^( *)(`{3,}|~{3,})[^]*?^\1\2/gm, "")
  return [...prose.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) => {
    const made = slug(heading)
    const count = (seen.get(made) ?? 0) + 1
    seen.set(made, count)
    return count === 1 ? made : `${made}-${count}`
  })
}

const read = (folder) => {
  const below = join(folder, "docs", "specification")
  const pages = walk(below)
    .filter((path) => path.endsWith(".mdx"))
    .map((path) => [
      show(below, path)
        .replace(/\.mdx$/, "")
        .replace(/\/index$/, ""),
      path
    ])
    .filter(([page]) => dated.test(page))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const { redirects } = JSON.parse(readFileSync(join(folder, "docs", "docs.json"), "utf8"))
  const moved = redirects
    .map(({ destination, source }) => [source.replace(/^\/specification\//, ""), destination])
    .filter(([page]) => dated.test(page) || page === "versioning")
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: folder, encoding: "utf8" }).trim()
  return {
    about: `Written by scripts/specPages.mjs from docs/specification and docs/docs.json of https://github.com/modelcontextprotocol/modelcontextprotocol at ${commit}: each page with the anchors of its headings, and where pages that were have gone.`,
    moved: Object.fromEntries(moved),
    pages: Object.fromEntries(pages.map(([page, path]) => [page, anchors(readFileSync(path, "utf8")).join(" ")]))
  }
}

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.log("node scripts/specPages.mjs <checkout of the specification>")
  process.exitCode = 1
} else {
  const list = read(folder)
  writeFileSync(join(repository, "scripts", "specPages.json"), `${JSON.stringify(list, null, 2)}\n`)
  console.log(`${Object.keys(list.pages).length} pages`)
}
