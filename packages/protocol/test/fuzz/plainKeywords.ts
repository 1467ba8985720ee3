const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "number" ? "number" : typeof value

const isOf = (type: unknown, value: unknown): boolean =>
  type === "integer" ? Number.isInteger(value) : typeOf(value) === type

/** Equal as JSON values are. */
const isEqual = (one: unknown, other: unknown): boolean => {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [mine, theirs] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  return (
    mine.size === theirs.size &&
    [...mine].every(([name, value]) => theirs.has(name) && isEqual(value, theirs.get(name)))
  )
}

/** What plain keywords mean, each in one line. */
export const fits = (schema: unknown, value: unknown): boolean => {
  if (typeof schema !== "object" || schema === null) return schema === true
  const said = new Map(Object.entries(schema))
  const list = Array.isArray(value) ? value : []
  const members = typeOf(value) === "object" ? Object.entries(Object(value)) : []
  const named = new Map(Object.entries(Object(said.get("properties") ?? {})))
  const rules: ReadonlyArray<readonly [string, (is: never) => boolean]> = [
    ["type", (is: unknown) => [is].flat().some((type) => isOf(type, value))],
    ["const", (is: unknown) => isEqual(is, value)],
    ["enum", (is: ReadonlyArray<unknown>) => is.some((one) => isEqual(one, value))],
    ["minimum", (is: number) => typeof value !== "number" || value >= is],
    ["exclusiveMinimum", (is: number) => typeof value !== "number" || value > is],
    ["maximum", (is: number) => typeof value !== "number" || value <= is],
    ["exclusiveMaximum", (is: number) => typeof value !== "number" || value < is],
    ["minLength", (is: number) => typeof value !== "string" || [...value].length >= is],
    ["maxLength", (is: number) => typeof value !== "string" || [...value].length <= is],
    ["minItems", (is: number) => !Array.isArray(value) || value.length >= is],
    ["maxItems", (is: number) => list.length <= is],
    ["minProperties", (is: number) => typeOf(value) !== "object" || members.length >= is],
    ["maxProperties", (is: number) => members.length <= is],
    ["properties", () => members.every(([name, held]) => !named.has(name) || fits(named.get(name), held))],
    [
      "required",
      (is: ReadonlyArray<string>) =>
        typeOf(value) !== "object" || is.every((name) => members.some(([own]) => own === name))
    ],
    ["additionalProperties", (is: unknown) => members.every(([name, held]) => named.has(name) || fits(is, held))],
    ["propertyNames", (is: unknown) => members.every(([name]) => fits(is, name))],
    ["items", (is: unknown) => list.every((item) => fits(is, item))],
    ["contains", (is: unknown) => !Array.isArray(value) || list.some((item) => fits(is, item))],
    ["uniqueItems", () => list.every((item, at) => list.findIndex((other) => isEqual(item, other)) === at)],
    ["not", (is: unknown) => !fits(is, value)],
    ["allOf", (is: ReadonlyArray<unknown>) => is.every((one) => fits(one, value))],
    ["anyOf", (is: ReadonlyArray<unknown>) => is.some((one) => fits(one, value))],
    ["oneOf", (is: ReadonlyArray<unknown>) => is.filter((one) => fits(one, value)).length === 1]
  ]
  // cast: the schemas made here hold what each keyword asks for
  return rules.every(([keyword, rule]) => !said.has(keyword) || rule(said.get(keyword) as never))
}
