/**
 * Bundles our stdio server, minified, for S5: what an author who cares for start-up ships. What is loaded on demand (the
 * checking of raw JSON Schemas) stays in a file of its own.
 */
import { rm, stat } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const outdir = at("targets/effective-mcp/dist")
const outfile = at("targets/effective-mcp/dist/server.mjs")

await rm(outdir, { recursive: true, force: true })
await build({
  entryPoints: [at("targets/effective-mcp/server.mjs")],
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node22",
  logLevel: "warning",
  legalComments: "none",
  // What a dependency in CommonJS asks for by `require`.
  banner: { js: 'import{createRequire as __r}from"node:module";const require=__r(import.meta.url);' }
})
console.log(`${outfile}: ${Math.round((await stat(outfile)).size / 1024)} KiB`)
