/** Where Node, Bun and Deno are: the installed binary itself, else whatever the machine calls by that name. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

/** A wrapper would orphan what it starts. */
const binary = (name, ...paths) =>
  paths.map((path) => join(root, "node_modules", path)).find((path) => existsSync(path)) ?? name

export const binaries = {
  node: binary("node", "node/bin/node", "node/bin/node.exe"),
  bun: binary("bun", "bun/bin/bun.exe"),
  deno: binary("deno", "deno/deno", "deno/deno.exe")
}
