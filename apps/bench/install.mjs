/** Installs the peers that we are measured against: each target has its own lock file and stays out of the workspace. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

const targets = fileURLToPath(new URL("targets", import.meta.url))

for (const name of readdirSync(targets)) {
  const cwd = `${targets}/${name}`
  if (!existsSync(`${cwd}/package-lock.json`)) continue
  console.log(`npm ci in targets/${name}`)
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd, stdio: "inherit" })
  if (status !== 0) process.exit(status ?? 1)
}
