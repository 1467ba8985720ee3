import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { asRead } from "./differences.ts"
import { spoken } from "./fixtures.ts"
import { accepts, samplesOf, spoilt } from "./samples.ts"
import { expectCarried } from "./carried.ts"

for (const { ours, published, version } of spoken) {
  const definitions = asRead(version, published)

  describe(`messages of ${version}`, () => {
    for (const [name, schema] of Object.entries(definitions)) {
      it(`${name}: samples are read, and written as they were`, () => {
        const samples = samplesOf(definitions, schema)
        expect(samples.length).toBeGreaterThan(0)
        for (const sample of samples) {
          expect(accepts(definitions, schema, sample)).toBe(true)
          expectCarried(ours[name]!(), sample)
        }
      })

      it(`${name}: a member that is missing or of another type is refused where the schema says so`, () => {
        const is = Schema.is(ours[name]!())
        for (const value of samplesOf(definitions, schema).slice(0, 2).flatMap(spoilt)) {
          const verdict = accepts(definitions, schema, value)
          if (is(value) !== verdict) expect.fail(`${verdict ? "refused" : "taken"}: ${JSON.stringify(value)}`)
        }
      })
    }
  })
}
