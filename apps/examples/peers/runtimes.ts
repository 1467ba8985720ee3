import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

export type Runtime = "node" | "bun" | "deno"

export const runtimes: ReadonlyArray<Runtime> = ["node", "bun", "deno"]

const versions: Readonly<Record<string, string | undefined>> = process.versions

/** The runtime that runs this; Bun and Deno also answer to Node's name. */
export const runtime: Runtime = versions.bun !== undefined ? "bun" : versions.deno !== undefined ? "deno" : "node"
export const version: string = versions[runtime] ?? ""

const installed: Readonly<Record<Runtime, ReadonlyArray<string>>> = {
  node: ["node/bin/node", "node/bin/node.exe"],
  bun: ["bun/bin/bun.exe"],
  deno: ["deno/deno", "deno/deno.exe"]
}

/** The installed binary itself, since a wrapper would orphan what it starts; else what goes by that name here. */
export const binary = (name: Runtime): string => {
  const paths = installed[name].map((path) => fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url)))
  return paths.find((path) => existsSync(path)) ?? name
}

/** By this condition the packages here take each other's sources, so that nothing has to be built. */
const condition = "--conditions=@effective-mcp/source"

/** What a runtime is told before the name of a program. A server may read, and on Deno little else. */
export const options: Readonly<Record<Runtime, ReadonlyArray<string>>> = {
  node: [condition],
  bun: [condition],
  deno: ["run", condition, "--no-lock", "--no-prompt", "--allow-read", "--allow-env", "--allow-sys"]
}
