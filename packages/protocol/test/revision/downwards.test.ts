import { describe, expect, it } from "@effect/vitest"
import { omit } from "../../src/revision/project.ts"
import { type Case, cases, isInvalid } from "./cases.ts"

/** What an era puts beside what was asked and answered. */
const beside = ["_meta", "task", "inputResponses", "requestState", "resultType"]

/** The newest case of the same method: what it says, in neutral terms, is all that there is to say. */
const newest = (method: string): Case => cases.find((found) => found.method === method)!

for (const { method, params, result, version } of cases) {
  const source = newest(method)
  if (source.version === version) continue

  describe(`${method}, as ${source.version} has it, told to ${version}`, () => {
    it("has parameters that the older one names, of the types that it says, and no others", () => {
      for (const sample of source.params.samples) {
        const written = params.encode(omit(sample, beside))
        if (!isInvalid(written) && !params.isExact(written)) expect.fail(JSON.stringify(written))
      }
    })

    if (result === undefined || source.result === undefined) return
    const { samples } = source.result
    it("has results that the older one names, of the types that it says, and no others", () => {
      for (const sample of samples) {
        const written = result.encode(omit(sample, beside))
        if (!result.isExact(written)) expect.fail(JSON.stringify(written))
      }
    })
  })
}
