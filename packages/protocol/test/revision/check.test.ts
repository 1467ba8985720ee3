import { describe, expect, it } from "@effect/vitest"
import { modernRevisions } from "@effective-mcp/protocol"
import * as Schema from "effect/Schema"
import { checker, lazy, listChecker } from "../../src/revision/check.ts"
import { Invalid } from "../../src/revision/Revision.ts"
import { SECRET } from "./members.ts"

const detailOf = (value: unknown): unknown => (value instanceof Invalid ? value.detail : value)

describe("the place of what is wrong", () => {
  const [{ questions }] = modernRevisions
  const place = (params: object): unknown =>
    detailOf(questions["elicitation/create"]!.decodeParams({ message: "m", ...params }))
  const form = (field: object) => ({ requestedSchema: { type: "object", properties: { a: field } } })
  const at = (path: string): string => `${path} is not as the schema says`

  it("is in the alternative that the literal picks, not in the first one", () => {
    expect(place({ mode: "url", url: 5 })).toBe(at(".url"))
    expect(place({ mode: "url" })).toBe(at(".url"))
    expect(place({ mode: "form" })).toBe(at(".requestedSchema"))
    expect(place({ mode: "form", url: "x", requestedSchema: { type: "object", properties: 5 } })).toBe(
      at(".requestedSchema.properties")
    )
  })

  it("is in the alternative that has all it must have, where literals leave several", () => {
    const properties = ".requestedSchema.properties.a"
    expect(place(form({ type: "boolean", default: SECRET }))).toBe(at(`${properties}.default`))
    expect(place(form({ type: "number", minimum: SECRET }))).toBe(at(`${properties}.minimum`))
    expect(place(form({ type: "string", enum: ["a"], default: 5 }))).toBe(at(`${properties}.default`))
    expect(place(form({ type: "array", items: { anyOf: [{ const: "a", title: 5 }] } }))).toBe(
      at(`${properties}.items.anyOf[0].title`)
    )
  })

  it("is a list of content where the list is what was meant", () => {
    const sampling = (content: unknown): unknown =>
      detailOf(
        questions["sampling/createMessage"]!.decodeParams({ maxTokens: 1, messages: [{ role: "user", content }] })
      )
    expect(sampling([{ type: "text", text: 5 }])).toBe(at(".messages[0].content[0].text"))
    expect(sampling({ type: "tool_use", id: "1", name: "a", input: SECRET })).toBe(at(".messages[0].content.input"))
  })
})

describe("a list with entries that do not fit", () => {
  const item = lazy(() => Schema.Struct({ name: Schema.String }))
  const read = listChecker(
    lazy(() => Schema.Struct({ items: Schema.Array(item()), next: Schema.optionalKey(Schema.String) })),
    "items",
    item
  )
  const good = { name: "a", unknown: 1 }

  it("is a copy without them, in order, with all the rest", () => {
    const wire = { items: [good, null, { name: 5 }, good, [], SECRET], next: "2", unknown: [1] }
    const before = structuredClone(wire)
    const found = read(wire)
    expect(found).toEqual({ items: [good, good], next: "2", unknown: [1] })
    expect(found).not.toBe(wire)
    expect(wire).toEqual(before)
    const told: Array<string> = []
    read(wire, (detail) => told.push(detail))
    const wrong = (place: string): string => `${place} is not as the schema says`
    expect(told).toEqual([wrong(".items[1]"), wrong(".items[2].name"), wrong(".items[4]"), wrong(".items[5]")])
  })

  it("is the list itself when all of them fit", () => {
    const wire = { items: [good], unknown: 1 }
    const told: Array<string> = []
    expect(read(wire, (detail) => told.push(detail))).toBe(wire)
    expect(told).toEqual([])
  })

  it("is refused for what is wrong beside them, or when it is no list", () => {
    expect(detailOf(read({ items: [null], next: 5 }))).toBe(".next is not as the schema says")
    for (const items of [undefined, null, {}, SECRET]) {
      expect(detailOf(read({ items }))).toBe(".items is not as the schema says")
    }
    expect(detailOf(read({}))).toBe(".items is not as the schema says")
  })

  it("tells of a bounded number of them", () => {
    const told: Array<string> = []
    const items = [...Array.from({ length: 10_000 }, () => SECRET), good]
    expect(read({ items }, (detail) => told.push(detail))).toEqual({ items: [good] })
    expect(told.length).toBe(9)
    expect(told.at(-1)).toBe("9992 more of .items are not as the schema says")
    expect(told.join()).not.toContain(SECRET)
  })
})

describe("a check", () => {
  it("builds its schema when it is first needed, and once", () => {
    let built = 0
    const check = checker(
      lazy(() => {
        built++
        return Schema.String
      })
    )
    expect(built).toBe(0)
    expect(check("a")).toBe("a")
    expect(detailOf(check(5))).toBe("the value is not as the schema says")
    expect(built).toBe(1)
  })
})
