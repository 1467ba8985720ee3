import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const source = new URL("../../src/", import.meta.url)

/** What a source imports at run time, its own files included. */
const importsOf = (file: URL): ReadonlyArray<string> =>
  [...readFileSync(fileURLToPath(file), "utf8").matchAll(/^(?:import|export)(?! type\b)[^"]*?from "([^"]+)"/gm)].map(
    ([, specifier]) => specifier!
  )

/** All that loading a source loads. */
const loads = (file: URL, seen: Set<string> = new Set()): ReadonlySet<string> => {
  for (const specifier of importsOf(file)) {
    const target = specifier.startsWith(".") ? new URL(specifier, file) : undefined
    const name = target?.href.slice(source.href.length) ?? specifier
    if (seen.has(name)) continue
    seen.add(name)
    if (target !== undefined) loads(target, seen)
  }
  return seen
}

describe("the engine of patterns", () => {
  it("is loaded by those who check schemas, and by nobody else", () => {
    const schema = loads(new URL("JsonSchema.ts", source))
    expect(schema).toContain("re2js")
    const index = loads(new URL("index.ts", source))
    expect(index).toContain("Peer.ts")
    expect([...index].filter((name) => name === "re2js" || /jsonschema/i.test(name))).toStrictEqual([])
  })
})
