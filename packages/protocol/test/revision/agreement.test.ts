import { describe, expect, it } from "@effect/vitest"
import { asRead, differences } from "./differences.ts"
import { spoken } from "./fixtures.ts"
import { ofOurs, ofPublished } from "./shape.ts"

for (const { ours, published, version } of spoken) {
  describe(`${version}, as published`, () => {
    const definitions = asRead(version, published)

    it("has the definitions that are exported here by their names, and no others", () =>
      expect(Object.keys(ours).sort()).toEqual(Object.keys(published).sort()))

    for (const [name, schema] of Object.entries(definitions)) {
      it(`says of ${name} what is said here: members, which must be there, literals, types`, () => {
        const definition = ours[name]
        expect(definition).toBeDefined()
        expect(ofOurs(definition!().ast)).toEqual(ofPublished(definitions, schema))
      })
    }
  })
}

describe("a difference on purpose", () => {
  for (const { change, reason, revisions } of differences) {
    it(`is one: ${reason}`, () => {
      const changed = spoken
        .filter(({ version }) => revisions.test(version))
        .map(({ published }) => Object.entries(published).filter(([name, schema]) => change(schema, name) !== schema))
      expect(changed.length).toBeGreaterThan(0)
      for (const definitions of changed) expect(definitions.length).toBeGreaterThan(0)
    })
  }
})
