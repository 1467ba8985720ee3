import * as arrays from "./keywords/arrays.ts"
import * as general from "./keywords/general.ts"
import * as logic from "./keywords/logic.ts"
import * as numbers from "./keywords/numbers.ts"
import * as objects from "./keywords/objects.ts"
import * as references from "./keywords/references.ts"
import * as strings from "./keywords/strings.ts"
import type { Part } from "./Site.ts"

/** A part with its place in the order of checking. */
export interface Ranked {
  readonly rank: number
  readonly part: Part
}

/** What the schemas of one `$schema` mean. */
export interface Dialect {
  /** By their keywords. Those that ask what others have looked at come last. */
  readonly parts: ReadonlyMap<string, Ranked>
  /** What holds beside a `$ref`, where that is not everything. */
  readonly besideRef?: ReadonlyMap<string, Ranked>
  /** Keywords that give a place a name in references. */
  readonly anchors: ReadonlyArray<string>
  /** `$recursiveAnchor` opens a schema to references from further out. */
  readonly recursiveAnchors?: boolean
  /** A `$id` may end in a fragment, which is then an anchor. */
  readonly fragmentIds?: boolean
}

type Row = readonly [part: Part, ...keywords: ReadonlyArray<string>]

const table = (rows: ReadonlyArray<Row>): ReadonlyMap<string, Ranked> =>
  new Map(
    rows.flatMap(([part, ...keywords], rank) => {
      const ranked = { rank, part }
      return keywords.map((keyword): [string, Ranked] => [keyword, ranked])
    })
  )

const common: ReadonlyArray<Row> = [
  [references.reference, "$ref"],
  [general.type, "type"],
  [general.constant, "const"],
  [general.enumeration, "enum"],
  [numbers.minimum, "minimum"],
  [numbers.maximum, "maximum"],
  [numbers.exclusiveMinimum, "exclusiveMinimum"],
  [numbers.exclusiveMaximum, "exclusiveMaximum"],
  [numbers.multipleOf, "multipleOf"],
  [strings.length, "minLength", "maxLength"],
  [strings.pattern, "pattern"],
  [arrays.size, "minItems", "maxItems"],
  [objects.size, "minProperties", "maxProperties"],
  [objects.required, "required"],
  [objects.propertyNames, "propertyNames"],
  [objects.properties, "properties", "patternProperties", "additionalProperties"],
  [objects.dependencies, "dependencies"],
  [logic.allOf, "allOf"],
  [logic.anyOf, "anyOf"],
  [logic.oneOf, "oneOf"],
  [logic.not, "not"],
  [logic.conditional, "if", "then", "else"],
  [references.definitions("definitions"), "definitions"],
  [arrays.uniqueItems, "uniqueItems"]
]

const later: ReadonlyArray<Row> = [
  ...common,
  [references.definitions("$defs"), "$defs"],
  [objects.dependentRequired, "dependentRequired"],
  [objects.dependentSchemas, "dependentSchemas"]
]

const unevaluated: ReadonlyArray<Row> = [
  [objects.unevaluatedProperties, "unevaluatedProperties"],
  [arrays.unevaluatedItems, "unevaluatedItems"]
]

const draft07: Dialect = {
  parts: table([...common, [arrays.itemsOrList, "items", "additionalItems"], [arrays.containsOne, "contains"]]),
  besideRef: table([
    [references.reference, "$ref"],
    [references.definitions("definitions"), "definitions"]
  ]),
  anchors: [],
  fragmentIds: true
}

const draft201909: Dialect = {
  parts: table([
    ...later,
    [references.recursiveReference, "$recursiveRef"],
    [arrays.itemsOrList, "items", "additionalItems"],
    [arrays.containsUnmarked, "contains", "minContains", "maxContains"],
    ...unevaluated
  ]),
  anchors: ["$anchor"],
  recursiveAnchors: true
}

const draft202012: Dialect = {
  parts: table([
    ...later,
    [references.dynamicReference, "$dynamicRef"],
    [arrays.items, "items", "prefixItems"],
    [arrays.contains, "contains", "minContains", "maxContains"],
    ...unevaluated
  ]),
  anchors: ["$anchor", "$dynamicAnchor"]
}

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["json-schema.org/draft-07/schema", draft07],
  ["json-schema.org/draft/2019-09/schema", draft201909],
  ["json-schema.org/draft/2020-12/schema", draft202012]
])

/** The dialect of schemas that name none. */
export const defaultDialect = draft202012

/** Finds a dialect by its `$schema`: over http or https, with or without an empty fragment. */
export const dialectOf = (uri: string): Dialect | undefined => dialects.get(uri.replace(/^https?:\/\/|#$/g, ""))
