import { readFileSync } from "node:fs"
import { defineConfig } from "tsup"

const { exports } = JSON.parse(readFileSync("package.json", "utf8"))

/**
 * One file for each entry of `exports`, and shared ones where there are several: loading many small files is a good part
 * of the time that a server takes to its first answer.
 */
export default defineConfig({
  entry: Object.values<Record<string, string> | string>(exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [entry["@effective-mcp/source"]!]
  ),
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
