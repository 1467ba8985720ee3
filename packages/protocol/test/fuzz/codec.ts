import assert from "node:assert/strict"
import { isDeepStrictEqual } from "node:util"
import { Invalid, type JsonRpc, legacyRevisions, modernRevisions, type Revision } from "@effective-mcp/protocol"
import * as JsonSchema from "@effective-mcp/protocol/json-schema"
import * as Result from "effect/Result"
import { omit } from "../../src/revision/project.ts"
import { asRead } from "../revision/differences.ts"
import { type Definitions, type JsonSchema as Definition, resolve, spoken } from "../revision/fixtures.ts"
import { type Make, makers, mutated } from "./generate.ts"
import { named } from "./named.ts"
import { type Tape, taped } from "./Tape.ts"
import { Check, target } from "./Target.ts"
import { expectNoPollution, SECRET } from "./values.ts"

type JsonObject = JsonRpc.JsonObject
type Fits = (value: unknown) => boolean

/** One way that one method's params or result go, in one revision. */
interface Way {
  readonly name: string
  readonly make: Make
  /** Whether a value is as the published schema says. */
  readonly fits: Fits
  /** The same of a value whose members that travel beside it count for nothing. */
  readonly fitsWithout: Fits
  /** The list whose entries are left out one by one, and what an entry is. */
  readonly list: { readonly key: string; readonly fits: Fits } | undefined
  readonly isRequest: boolean
  /** What reading makes of a value that the schema allows as we read it. */
  readonly asTaken: (value: JsonObject) => JsonObject
  /** What writing makes of a value that has been read. */
  readonly asTold: (value: JsonObject) => JsonObject
  /** What every value has: by it the way is chosen. */
  readonly type: JsonObject | undefined
  /** A value without members that the published schema does not name. */
  readonly named: (value: unknown) => unknown
  readonly decode: (wire: JsonObject) => unknown
  readonly encode: (value: unknown) => unknown
}

/** What travels with a request beside its params, and has its own readers. */
const beside = ["_meta", "task", "inputResponses", "requestState"]

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Some servers leave out content where there is structured content: an empty one is meant. */
const withContent = <A>(value: A): A =>
  isObject(value) && value.content === undefined && isObject(value.structuredContent)
    ? { ...value, content: [] }
    : value

/** An id that a double does not hold exactly is none, whatever a published schema says of integers. */
const safe = { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

const publishedOf = (version: string): Definitions => {
  const { published } = spoken.find((each) => each.version === version)!
  const ids = { anyOf: [{ type: "string" }, safe] }
  return { ...asRead(version, published), RequestId: ids, ProgressToken: ids }
}

/** The definitions that one leads to, under the name by which references find them. */
const reached = (definitions: Definitions, schema: Definition): JsonObject => {
  const found = new Map<string, { [name: string]: Definition }>()
  const follow = (part: unknown): void => {
    for (const [, place = "", name = ""] of JSON.stringify(part).matchAll(/"#\/([$\w]+)\/(\w+)"/g)) {
      const known = found.get(place) ?? {}
      const definition = definitions[name]
      if (known[name] !== undefined || definition === undefined) continue
      known[name] = definition
      found.set(place, known)
      follow(definition)
    }
  }
  follow(schema)
  return Object.fromEntries(found)
}

const fitsOf = (definitions: Definitions): ((schema: Definition) => Fits) => {
  const compiled = new Map<Definition, JsonSchema.Compiled>()
  return (schema) => {
    return (value) => {
      const known =
        compiled.get(schema) ??
        Result.getOrThrow(JsonSchema.compile({ ...reached(definitions, schema), allOf: [schema] }))
      compiled.set(schema, known)
      return Result.isSuccess(known.check(value))
    }
  }
}

/** The lists of which a client takes what it can read. */
const lists = new Map([
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"]
])

/** A definition that says nothing of what travels beside. */
const without = ({ anyOf, properties, required, ...rest }: Definition): Definition => ({
  ...rest,
  ...(properties && { properties: omit(properties, beside) }),
  ...(required && { required: required.filter((name) => !beside.includes(name)) }),
  ...(anyOf && { anyOf })
})

/** A time to live is taken as whole ms from 0. */
const inWholeMs = (value: JsonObject): JsonObject =>
  typeof value.ttlMs === "number" ? { ...value, ttlMs: Math.max(0, Math.floor(value.ttlMs)) } : value

const described = new Map<unknown, unknown>([
  [true, {}],
  [false, { not: {} }]
])

/** Tools whose schemas describe properties by objects alone. */
const byObjects = (value: JsonObject): JsonObject => {
  if (!Array.isArray(value.tools)) return value
  const of = (schema: unknown): unknown =>
    isObject(schema) && isObject(schema.properties)
      ? {
          ...schema,
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, held]) => [name, described.get(held) ?? held])
          )
        }
      : schema
  return {
    ...value,
    tools: value.tools.map((tool) =>
      Object.fromEntries(
        Object.entries(tool).map(([name, held]) => [name, /^(in|out)putSchema$/.test(name) ? of(held) : held])
      )
    )
  }
}

interface AnyCodec {
  readonly decodeParams: (wire: JsonObject) => unknown
  readonly encodeParams: (value: never) => unknown
  readonly decodeResult?: (wire: JsonObject) => unknown
  readonly encodeResult?: (value: never) => unknown
}

/** What a request brings is looked into once it is known what was asked. */
const brought: Definition = {
  type: "object",
  properties: {
    inputResponses: { type: "object", additionalProperties: { type: "object" } },
    requestState: { type: "string" }
  }
}

/** Both ways of every method, question and notification of a revision's tables. */
const waysOf = (revision: Revision): ReadonlyArray<Way> => {
  const { era, inputRequired, methods, notifications, openings, questions, version } = revision
  const definitions = publishedOf(version)
  const make = makers(definitions)
  const fits = fitsOf(definitions)
  const messages = new Map(
    Object.entries(definitions).flatMap(([name, { properties }]) =>
      typeof properties?.method?.const === "string" ? [[properties.method.const, name] as const] : []
    )
  )
  const way = (
    name: string,
    schema: Definition,
    decode: Way["decode"],
    encode: (value: never) => unknown,
    more: Partial<Way> = {}
  ): Way => ({
    name: `${name} of ${version}`,
    make: make(schema),
    fits: fits(schema),
    fitsWithout: fits(without(resolve(definitions, schema))),
    list: undefined,
    isRequest: false,
    asTaken: (value) => value,
    asTold: era === "legacy" ? byObjects : (value) => value,
    type: undefined,
    named: (value) => named(definitions, [schema], value),
    decode,
    encode: (value) => encode(value as never), // cast: it is what the same codec has read
    ...more
  })
  const both = (method: string, codec: AnyCodec): ReadonlyArray<Way> => {
    const name = messages.get(method)!
    const { params = { type: "object" } } = resolve(definitions, definitions[name]!).properties!
    const { decodeParams, decodeResult, encodeParams, encodeResult } = codec
    const isRequest = decodeResult !== undefined
    const asked = way(`the params of ${method}`, params, decodeParams, encodeParams, { isRequest })
    if (decodeResult === undefined || encodeResult === undefined) return [asked]
    const result = definitions[name.replace(/Request$/, "Result")] ?? definitions.EmptyResult!
    const key = lists.get(method)
    const items = key === undefined ? undefined : resolve(definitions, result).properties?.[key]?.items
    const list = key === undefined || items === undefined ? undefined : { key, fits: fits(items) }
    const isCacheable = resolve(definitions, result).properties?.ttlMs !== undefined
    const asTaken = isCacheable ? { asTaken: inWholeMs } : {}
    const isForgiven =
      method === "tools/call" && era === "legacy" && resolve(definitions, result).properties?.structuredContent
    const forgiven = isForgiven
      ? { fits: (value: unknown) => fits(result)(withContent(value)), asTaken: withContent }
      : {}
    return [
      asked,
      way(`the result of ${method}`, result, decodeResult, encodeResult, { list, ...asTaken, ...forgiven })
    ]
  }
  const tables: ReadonlyArray<object> = [
    openings,
    methods,
    questions,
    notifications.fromClient,
    notifications.fromServer
  ]
  return [
    ...tables
      .flatMap((table) => Object.entries<AnyCodec>({ ...table }))
      .flatMap(([method, codec]) => both(method, codec)),
    ...(inputRequired === undefined
      ? []
      : [
          way(
            "a result that asks for input",
            definitions.InputRequiredResult!,
            inputRequired.decodeResult,
            inputRequired.encodeResult,
            { type: { resultType: "input_required" } }
          ),
          way("the params that answer", brought, inputRequired.decodeParams, inputRequired.encodeParams)
        ])
  ]
}

const ways = [...modernRevisions, ...legacyRevisions].flatMap(waysOf)

const freeze = (value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  Object.freeze(value)
  for (const held of Object.values(value)) freeze(held)
}

/** Whether all that one value holds is in another, too. */
const isWithin = (value: unknown, other: unknown): boolean => {
  if (value === other) return true
  if (typeof value !== "object" || value === null || typeof other !== "object" || other === null) return false
  if (Array.isArray(value) !== Array.isArray(other)) return false
  return Object.entries(value).every(
    ([name, inside]) => Object.hasOwn(other, name) && isWithin(inside, Reflect.get(other, name))
  )
}

const expectPlain = (value: unknown): void => {
  if (!isObject(value)) return
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
}

const expectRefused = (found: unknown): void => {
  assert(found instanceof Invalid)
  assert(!found.detail.includes(SECRET) && found.detail.length < 1_000)
}

/** A value with those members of another that travel beside params. */
const travelling = (params: JsonObject, wire: JsonObject): JsonObject =>
  Object.fromEntries([...Object.entries(params), ...Object.entries(wire).filter(([name]) => beside.includes(name))])

const expectParams = (way: Way, wire: JsonObject): void => {
  const read = way.decode(wire)
  const strict = way.fits(wire)
  if (read instanceof Invalid) {
    expectRefused(read)
    assert(!strict, "refused, though the schema allows it")
    return
  }
  // what travels with every request is read elsewhere
  if (!strict) assert(way.isRequest && way.fitsWithout(wire), "taken, though the schema does not allow it")
  assert(isObject(read))
  expectPlain(read)
  assert(isWithin(read, wire), "something has been put in")
  if (way.isRequest) for (const name of beside) assert(!Object.hasOwn(read, name))
  const written = way.encode(read)
  if (written instanceof Invalid) return expectRefused(written)
  assert(isObject(written))
  expectPlain(written)
  const told = way.asTold(wire)
  assert(isWithin(written, told), "something has been put in")
  assert(isWithin(way.named(way.isRequest ? omit(told, beside) : told), written), "something has been lost")
  const again = way.decode(way.isRequest ? travelling(written, wire) : written)
  assert(isDeepStrictEqual(way.encode(again), written), "not stable")
}

const expectResult = (way: Way, wire: JsonObject): void => {
  const read = way.decode(wire)
  const { list } = way
  const isFit = way.fits(wire)
  const taken = way.asTaken(wire)
  if (isFit && isDeepStrictEqual(taken, wire)) assert.equal(read, wire)
  else if (isFit) assert(isDeepStrictEqual(read, taken), "not read as it should be")
  else {
    const entries = list === undefined ? undefined : wire[list.key]
    const kept =
      list === undefined || !Array.isArray(entries)
        ? undefined
        : Object.fromEntries(
            Object.entries(taken).map(([name, held]) => [name, name === list.key ? entries.filter(list.fits) : held])
          )
    if (kept === undefined || !way.fits(kept)) return expectRefused(read)
    assert(isDeepStrictEqual(read, kept), "not the list of what can be read")
  }
  assert(isObject(read))
  const written = way.encode(read)
  if (written instanceof Invalid) return expectRefused(written)
  assert(isObject(written))
  expectPlain(written)
  // a question is written anew, by what its own method says of it
  assert(isWithin(way.type === undefined ? way.asTold(read) : way.named(read), written), "something has been lost")
  const again = way.decode(written)
  assert(!(again instanceof Invalid), "what is written is not read")
  assert(isDeepStrictEqual(way.encode(again), written), "not stable")
}

const input = taped(220, (tape: Tape) => {
  const way = ways[(tape.byte() * 256 + tape.byte()) % ways.length]!
  const changes = Array.from({ length: tape.pick([0, 1, 0, 1, 2]) }, () => tape.cut(12))
  let value = way.make(tape, 4)
  for (const change of changes) value = mutated(change, value)
  if (way.type !== undefined && isObject(value)) value = { ...value, ...way.type }
  freeze(value)
  return new Check(way.name, value, () => {
    // the envelope holds that both are objects
    if (!isObject(value)) return
    if (way.name.startsWith("the params")) expectParams(way, value)
    else expectResult(way, value)
    expectNoPollution()
  })
})

/** Of every method: what is taken is what the published schema says, and it is passed on as it was. */
export const codec = target("codec", input, ({ holds }) => holds())
