import { type JsonRpc, limits, quote, type Tool } from "@effective-mcp/protocol"
import type { Compiled } from "@effective-mcp/protocol/json-schema"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SessionLike } from "../Session.ts"

/** What the output schemas of one server's tools are, as lists of them said. */
interface Learnt {
  readonly schemas: Map<string, { readonly schema: JsonRpc.JsonObject; readonly chars: number }>
  chars: number
}

const learnt = new WeakMap<SessionLike, Learnt>()

const drop = (all: Learnt, name: string): void => {
  const known = all.schemas.get(name)
  if (known === undefined) return
  all.chars -= known.chars
  all.schemas.delete(name)
}

/** Begins to keep them; when the server says that its tools are others now, what is known is forgotten. */
const begin = (session: SessionLike): Learnt => {
  const all: Learnt = { schemas: new Map(), chars: 0 }
  learnt.set(session, all)
  session.hub.onHeard((heard) => {
    if (heard._tag !== "ListChanged" || heard.list !== "tools") return
    all.schemas.clear()
    all.chars = 0
  })
  return all
}

/** Keeps the output schemas of tools as they are listed now; the oldest go where there are too many, or they are too long. */
export const learn = (session: SessionLike, tools: ReadonlyArray<Tool>): void => {
  for (const { name, outputSchema } of tools) {
    const all = learnt.get(session)
    if (all !== undefined) drop(all, name)
    if (outputSchema === undefined) continue
    const chars = name.length + JSON.stringify(outputSchema).length
    if (chars > limits.outputSchemaChars) continue
    const kept = all ?? begin(session)
    kept.schemas.set(name, { schema: outputSchema, chars })
    kept.chars += chars
    for (const oldest of kept.schemas.keys()) {
      if (kept.schemas.size <= limits.outputSchemas && kept.chars <= limits.outputSchemaChars) break
      drop(kept, oldest)
    }
  }
}

/** What a tool's output is to be, as it was listed; undefined when that is not known, or nothing was said. */
export const schemaOf = (
  session: SessionLike,
  tool: string | Pick<Tool, "name" | "outputSchema">
): JsonRpc.JsonObject | undefined =>
  typeof tool === "string"
    ? learnt.get(session)?.schemas.get(tool)?.schema
    : (tool.outputSchema ?? learnt.get(session)?.schemas.get(tool.name)?.schema)

/** Schemas that cannot be used, and have been told of. */
const told = new WeakSet<object>()

/** A schema ready to check with; one that cannot be used is warned of once, and then nothing is checked by it. */
export const compiled = (tool: string, schema: JsonRpc.JsonObject): Effect.Effect<Compiled | undefined> =>
  Effect.flatMap(
    // loaded by the first tool that has such a schema
    Effect.promise(() => import("@effective-mcp/protocol/json-schema")),
    ({ compile }) => {
      const read = compile(schema)
      if (Result.isSuccess(read)) return Effect.succeed(read.success)
      if (told.has(schema)) return Effect.succeed(undefined)
      told.add(schema)
      return Effect.as(
        Effect.logWarning(`The output of the tool ${quote(tool)} is not checked: ${read.failure.message}`),
        undefined
      )
    }
  )
