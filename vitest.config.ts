import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

// what a package has for a runtime is what the tests there take, as the runtime itself would
const runtime = "Bun" in globalThis ? ["bun"] : "Deno" in globalThis ? ["deno"] : []
const conditions = ["@effective-mcp/source", "module", "import", ...runtime, "node", "default"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    pool: "forks",
    // most of a run is waiting for processes and sockets
    maxWorkers: Math.max(3, availableParallelism()),
    // files share what they import: loading it anew for each takes half of the time of all tests
    isolate: false,
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000
  }
})
