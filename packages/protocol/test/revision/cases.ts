import { type JsonRpc, legacyRevisions, modernRevisions, type Revision } from "@effective-mcp/protocol"
import { Invalid } from "../../src/revision/Revision.ts"
import { asWritten } from "./differences.ts"
import { type Definitions, type JsonSchema, nameOf, resolve, spoken } from "./fixtures.ts"
import { accepts, samplesOf } from "./samples.ts"

type JsonObject = JsonRpc.JsonObject

interface Way {
  readonly samples: ReadonlyArray<JsonObject>
  readonly decode: (wire: JsonObject) => unknown
  /** Writes what `decode` gave. */
  readonly encode: (value: unknown) => unknown
  /** The names of members that must be there. */
  readonly required: ReadonlyArray<string>
  /** Whether a value is all that the published schema says, and nothing else. */
  readonly isExact: (value: unknown) => boolean
}

/** One method of one revision, as both its tables and the published schema have it. */
export interface Case {
  readonly version: string
  readonly method: string
  readonly params: Way
  /** A notification has none. */
  readonly result?: Way
}

interface AnyCodec {
  readonly decodeParams: (wire: JsonObject) => unknown
  readonly encodeParams: (value: never) => unknown
  readonly decodeResult?: (wire: JsonObject) => unknown
  readonly encodeResult?: (value: never) => unknown
}

const way = (
  definitions: Definitions,
  schema: JsonSchema,
  decode: (wire: JsonObject) => unknown,
  encode: (value: never) => unknown
): Way => ({
  samples: samplesOf(definitions, schema) as ReadonlyArray<JsonObject>, // cast: params and results are objects
  decode,
  encode: (value) => encode(value as never), // cast: it is what the same codec has read
  required: resolve(definitions, schema).required ?? [],
  isExact: (value) => accepts(definitions, schema, value, true)
})

const caseOf = (revision: Revision, definitions: Definitions, name: string, codec: AnyCodec): Case => {
  const said = definitions[name]!.properties!
  const result = definitions[name.replace(/Request$/, "Result")] ?? definitions.EmptyResult!
  return {
    version: revision.version,
    method: String(said.method!.const),
    params: way(definitions, said.params ?? { type: "object" }, codec.decodeParams, codec.encodeParams),
    ...(codec.decodeResult === undefined || codec.encodeResult === undefined
      ? undefined
      : { result: way(definitions, result, codec.decodeResult, codec.encodeResult) })
  }
}

/** Every method and notification of one revision, each with samples. */
const casesOf = (revision: Revision): ReadonlyArray<Case> => {
  const { published } = spoken.find(({ version }) => version === revision.version)!
  const definitions = asWritten(revision.version, published)
  const tables: ReadonlyArray<readonly [union: string, table: object]> = [
    ["ClientRequest", { ...revision.openings, ...revision.methods }],
    ["ServerRequest", { ...revision.openings, ...revision.questions }],
    ["InputRequest", revision.questions],
    ["ClientNotification", revision.notifications.fromClient],
    ["ServerNotification", revision.notifications.fromServer]
  ]
  return tables.flatMap(([union, table]) => {
    const found = definitions[union]
    if (found === undefined) return []
    const names =
      found.anyOf?.map(({ $ref = "" }) => nameOf($ref)) ??
      Object.keys(definitions).filter(
        (name) => name !== union && definitions[name]!.properties?.method?.const === found.properties?.method?.const
      )
    const codecs = new Map<string, AnyCodec>(Object.entries(table))
    return names.flatMap((name) => {
      const codec = codecs.get(String(definitions[name]!.properties!.method!.const))
      return codec === undefined ? [] : [caseOf(revision, definitions, name, codec)]
    })
  })
}

export const cases: ReadonlyArray<Case> = [...modernRevisions, ...legacyRevisions].flatMap(casesOf)

export const isInvalid = (value: unknown): value is Invalid => value instanceof Invalid
