import { defineConfig } from "vitest/config"

const conditions = ["@effective-mcp/source", "module", "import", "node", "default"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    pool: "forks",
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000
  }
})
