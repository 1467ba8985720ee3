import { Tools } from "@effective-mcp/client"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { connect, legacy, Log, modern, result, scripted, type Script } from "./scripted.ts"

const SECRET = "s3cr3t"
const schema = { type: "object" }
const good = { name: "good", inputSchema: schema }
const better = { name: "better", inputSchema: schema, "x-vendor": 1 }

const eras = {
  modern: (script: Script) => scripted(modern(script)),
  legacy: (script: Script) => scripted(legacy(script))
}

/** What a client lists, and what it says meanwhile. */
const list = Effect.fnUntraced(function* (era: keyof typeof eras, tools: ReadonlyArray<unknown>) {
  const log = new Log()
  const { tools: listed } = yield* Effect.gen(function* () {
    const client = yield* connect(eras[era]({ "tools/list": result({ tools, nextCursor: "2" }) }))
    return yield* Tools.list(client)
  }).pipe(Effect.provide(log.layer))
  return { listed, log: log.lines }
})

describe("a list with an entry that breaks its revision", () => {
  const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
    ["no name", { inputSchema: schema, title: SECRET }, ".tools[1].name"],
    ["a schema that is null", { name: SECRET, inputSchema: null }, ".tools[1].inputSchema"],
    ["a schema of no object", { name: "b", inputSchema: { type: SECRET } }, ".tools[1].inputSchema.type"],
    ["nothing of a tool", SECRET, ".tools[1]"],
    ["null", null, ".tools[1]"]
  ]
  for (const era of ["modern", "legacy"] as const) {
    for (const [what, tool, place] of wrong) {
      it.effect(`on ${era}: does without it, and the log names the place, never what stood there: ${what}`, () =>
        Effect.gen(function* () {
          const { listed, log } = yield* list(era, [good, tool, better])
          expect(listed).toEqual([good, better])
          expect(log.length).toBe(1)
          expect(log[0]).toContain(`${place} is not as the schema says`)
          expect(log.join()).not.toContain(SECRET)
        })
      )
    }
    it.effect(`on ${era}: says so for eight of them and counts the rest`, () =>
      Effect.gen(function* () {
        const { listed, log } = yield* list(era, [...Array.from({ length: 1000 }, () => SECRET), good])
        expect(listed).toEqual([good])
        expect(log.length).toBe(1)
        expect(log[0]).toContain(".tools[7] is not as the schema says; 992 more of .tools")
        expect(log[0]).not.toContain(".tools[8]")
        expect(log.join()).not.toContain(SECRET)
      })
    )
    it.effect(`on ${era}: says nothing of a list in which all is well`, () =>
      Effect.gen(function* () {
        const { listed, log } = yield* list(era, [good, better])
        expect(listed).toEqual([good, better])
        expect(log).toEqual([])
      })
    )
  }
  it.effect("a name that the server chose is repeated when it is plain and short, and only then", () =>
    Effect.gen(function* () {
      const logOf = (name: string) =>
        Effect.map(list("legacy", [{ name: "a", inputSchema: { ...schema, properties: { [name]: 5 } } }]), ({ log }) =>
          log.join()
        )
      expect(yield* logOf("a_b-1")).toContain("tools[0].inputSchema.properties.a_b-1 ")
      for (const name of ["x".repeat(1000), "\u001b[31m", "a b\nc"]) {
        expect(yield* logOf(name)).toContain("tools[0].inputSchema.properties[…] ")
      }
    })
  )
})
