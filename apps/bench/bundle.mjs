/** Bundles our stdio server into one minified file, for S5: what an author who cares for start-up ships. */
import { stat } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const outfile = at("targets/effective-mcp/dist/server.mjs")

await build({
  entryPoints: [at("targets/effective-mcp/server.mjs")],
  outfile,
  bundle: true,
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
