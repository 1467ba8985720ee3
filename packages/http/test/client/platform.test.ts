import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

const program = fileURLToPath(new URL("whichPlatform.ts", import.meta.url))
const isDeno = "Deno" in globalThis
const isNode = !isDeno && !("Bun" in globalThis)

/** What this runtime itself takes, without the resolver of the tests. */
const takenWith = async (...conditions: ReadonlyArray<string>) => {
  const options = ["@effective-mcp/source", ...conditions].map((condition) => `--conditions=${condition}`)
  const start = isDeno ? ["run", "--no-lock", "--allow-all"] : []
  const { stdout } = await promisify(execFile)(process.execPath, [...start, ...options, program], { timeout: 15_000 })
  return stdout.trim()
}

describe("what sends requests where nothing else is said", () => {
  it("is node:http on Node, fetch on Deno, and both on Bun; these answer to Node's name too", async () => {
    const others = isDeno ? "fetch.ts function" : "bun.ts function"
    expect(await takenWith()).toBe(isNode ? "node.ts function" : others)
  })

  it("is fetch in Workers and browsers, even where they answer to Node's name", async () => {
    // Bun's own condition comes first
    const taken = "Bun" in globalThis ? "bun.ts function" : "fetch.ts function"
    for (const condition of ["workerd", "browser"]) expect(await takenWith(condition)).toBe(taken)
  })
})
