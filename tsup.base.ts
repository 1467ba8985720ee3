import { readFileSync } from "node:fs"
import { defineConfig } from "tsup"

const { exports } = JSON.parse(readFileSync("package.json", "utf8"))

/**
 * One file for each entry of `exports`, and shared ones where there are several: loading many small files is a good part
 * of the time that a server takes to its first answer.
 */
export default defineConfig({
  entry: Object.values<Record<string, unknown> | string>(exports).flatMap((entry) => {
    const source = typeof entry === "string" ? undefined : entry["@effective-mcp/source"]
    // one that differs between runtimes names entries that stand beside it; what tests share is not built
    return typeof source === "string" && source.startsWith("./src/") ? [source] : []
  }),
  format: "esm",
  target: "es2023",
  platform: "neutral",
  bundle: true,
  splitting: true,
  sourcemap: true,
  clean: true,
  dts: false,
  silent: true
})
