import type { JsonRpc } from "@effective-mcp/protocol"
import type { Compiled } from "@effective-mcp/protocol/json-schema"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Reader } from "../Input.ts"

/** Loaded by who needs it: most servers describe their tools in another way. */
const compile = (schema: JsonRpc.JsonObject): Effect.Effect<Compiled> =>
  Effect.flatMap(
    Effect.promise(() => import("@effective-mcp/protocol/json-schema")),
    (JsonSchema) => {
      const compiled = JsonSchema.compile(schema)
      return Result.isSuccess(compiled) ? Effect.succeed(compiled.success) : Effect.die(compiled.failure)
    }
  )

/**
 * Reads a description that is JSON Schema already. It is kept word for word, and values are checked against it; one that
 * cannot be checked against is a defect of the tool when it is called, and no sooner.
 */
export const rawReader = (schema: JsonRpc.JsonObject): Reader => {
  let compiled: Compiled | undefined
  const check = (value: unknown): Effect.Effect<unknown, unknown> =>
    compiled === undefined
      ? Effect.flatMap(compile(schema), (made) => {
          compiled = made
          return Effect.fromResult(made.check(value))
        })
      : Effect.fromResult(compiled.check(value))
  return {
    jsonSchema: () => schema,
    decode: check,
    encode: check,
    explain: (failure) => (failure instanceof Error ? failure.message : "it could not be checked")
  }
}
