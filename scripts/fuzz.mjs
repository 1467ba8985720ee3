/**
 * Runs the fuzz targets for longer than the tests do, one after the other, and prints a line for each.
 *
 *     node scripts/fuzz.mjs [--on=node|bun|deno] [--inputs 1000000] [--ms 60000] [--target name] [--seed 1] [--replay name:seed:path]
 */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { binaries, root } from "./runtimes.mjs"

const start = { node: [], bun: [], deno: ["run", "-A"] }

const args = process.argv.slice(2).filter((arg) => arg !== "--")
const isRuntime = (arg) => arg.startsWith("--on=")
const name = args.findLast(isRuntime)?.slice("--on=".length) ?? "node"
if (start[name] === undefined) throw new Error(`no such runtime: ${name}`)

const child = spawn(
  binaries[name],
  [
    ...start[name],
    "--conditions=@effective-mcp/source",
    join(root, "packages/protocol/test/fuzz/main.ts"),
    ...args.filter((arg) => !isRuntime(arg))
  ],
  { cwd: root, stdio: "inherit" }
)
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal))
child.once("error", (error) => {
  console.error(error.message)
  process.exitCode = 1
})
child.once("close", (code) => {
  process.exitCode = code ?? 1
})
