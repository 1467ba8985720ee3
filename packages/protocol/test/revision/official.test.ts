import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { expectCarried } from "./carried.ts"
import { spoken } from "./fixtures.ts"

/** A folder of the specification's own samples: a folder for each definition of the newest revision, a file for each sample. */
const folder = process.env.MCP_SPEC_SAMPLES

const samples =
  folder === undefined
    ? []
    : readdirSync(folder).flatMap((name) =>
        readdirSync(join(folder, name)).map((file) => ({ name, file, path: join(folder, name, file) }))
      )

describe("the specification's own samples", () => {
  it("are all read, where they are at hand", () => expect(samples.length > 0).toBe(folder !== undefined))

  const { ours } = spoken.at(-1)!
  for (const { file, name, path } of samples) {
    it(`${name}/${file} is read, and written as it was`, () => {
      const definition = ours[name]
      expect(definition).toBeDefined()
      expectCarried(definition!(), JSON.parse(readFileSync(path, "utf8")))
    })
  }
})
