import { UriTemplate } from "@effective-mcp/protocol"
import { describe, expect, it } from "vitest"

describe("matching", () => {
  it("finds an answer exactly when there is one", () => {
    const letters = ["a", "/", "."]
    const uris = [1, 2, 3, 4].flatMap((length) =>
      Array.from({ length: letters.length ** length }, (_, number) =>
        Array.from({ length }, (_, at) => letters[Math.floor(number / letters.length ** at) % letters.length]).join("")
      )
    )
    const texts = ["", ...uris]
    const sources = ["{x}{+y}", "{+x}/{y}", "{x}.{y}", "{x}{.y}", "{+x}{/y}", "a{/x}{+y}", "{x:1}{y}", "{+x}a{y:1}"]
    for (const source of sources) {
      const read = UriTemplate.make(source)
      const values = (variable: string): ReadonlyArray<string | undefined> =>
        new RegExp(`\\{\\+?${variable}`).test(source) ? texts.slice(1) : [...texts, undefined]
      const made = new Set(values("x").flatMap((x) => values("y").map((y) => UriTemplate.expand(read, { x, y }))))
      for (const uri of uris)
        expect([source, uri, UriTemplate.match(read, uri) !== undefined]).toStrictEqual([source, uri, made.has(uri)])
    }
  })
})
