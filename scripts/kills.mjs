/**
 * Kills supervised processes at random moments under 16 calls, half of them restarted lazily and half eagerly, and prints
 * what became of the calls. It fails when one had no end within a second, a tool was called twice, or a zombie was left.
 *
 *     node scripts/kills.mjs [--on=node|bun|deno] [1000]
 */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { binaries, root } from "./runtimes.mjs"

const start = { node: [], bun: [], deno: ["run", "-A"] }

const args = process.argv.slice(2).filter((arg) => arg !== "--")
const isRuntime = (arg) => arg.startsWith("--on=")
const name = args.findLast(isRuntime)?.slice("--on=".length) ?? "node"
if (start[name] === undefined) throw new Error(`no such runtime: ${name}`)
const times = args.find((arg) => !isRuntime(arg)) ?? "1000"
if (!/^[1-9]\d{0,5}$/.test(times)) throw new Error(`not a number of kills: ${times}`)

const child = spawn(
  binaries[name],
  [
    ...start[name],
    "--conditions=@effective-mcp/source",
    join(root, "packages/transport-stdio/test/support/killsMain.ts"),
    times
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
