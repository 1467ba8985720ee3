import { readFileSync } from "node:fs"
import type * as Schema from "effect/Schema"
import * as v2024_11_05 from "../../src/revision/v2024_11_05/schemas.ts"
import * as v2025_03_26 from "../../src/revision/v2025_03_26/schemas.ts"
import * as v2025_06_18 from "../../src/revision/v2025_06_18/schemas.ts"
import * as v2025_11_25 from "../../src/revision/v2025_11_25/schemas.ts"
import * as v2026_07_28 from "../../src/revision/v2026_07_28/schemas.ts"

/** JSON Schema, as far as the protocol's own schemas go. */
export interface JsonSchema {
  readonly $ref?: string
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: JsonSchema | boolean
}

export type Definitions = { readonly [name: string]: JsonSchema }

/** A revision: its definitions as published, and ours. */
export interface Spoken {
  readonly version: string
  readonly published: Definitions
  readonly ours: { readonly [name: string]: () => Schema.Top }
}

const definitionsOf = (version: string): Definitions => {
  const text = readFileSync(new URL(`./fixtures/${version}.schema.json`, import.meta.url), "utf8")
  const { $defs, definitions } = JSON.parse(text)
  return definitions ?? $defs
}

/** Those of the exports that are named as definitions are. */
const ours = (chapters: { readonly [name: string]: unknown }): Spoken["ours"] =>
  Object.fromEntries(
    Object.entries(chapters).flatMap(([name, value]) =>
      // cast: what begins with a capital is a definition
      /^[A-Z]/.test(name) ? [[name, value as () => Schema.Top]] : []
    )
  )

export const spoken: ReadonlyArray<Spoken> = Object.entries({
  "2024-11-05": v2024_11_05,
  "2025-03-26": v2025_03_26,
  "2025-06-18": v2025_06_18,
  "2025-11-25": v2025_11_25,
  "2026-07-28": v2026_07_28
}).map(([version, chapters]) => ({ version, published: definitionsOf(version), ours: ours(chapters) }))

/** The name that a reference leads to. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

/** A definition in which every reference is followed, and the parts of an intersection are one. */
export const resolve = (definitions: Definitions, schema: JsonSchema): JsonSchema => {
  if (schema.$ref !== undefined) return resolve(definitions, definitions[nameOf(schema.$ref)]!)
  if (schema.allOf === undefined) return schema
  return schema.allOf
    .map((part) => resolve(definitions, part))
    .reduce((all, part) => ({
      ...all,
      ...part,
      properties: { ...all.properties, ...part.properties },
      required: [...new Set([...(all.required ?? []), ...(part.required ?? [])])]
    }))
}
