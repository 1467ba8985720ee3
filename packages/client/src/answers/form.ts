import type { ElicitFormParams, FormField, FormValue } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ours, type Unanswered } from "./Unanswered.ts"

type Content = { readonly [name: string]: FormValue }

/** What was filled in of the fields that were asked for; of those that were not, their defaults. */
const complete = (properties: { readonly [name: string]: FormField }, given: Content): Content =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]): Array<[string, FormValue]> => {
      const value: unknown = Object.hasOwn(given, name) ? given[name] : undefined
      const filled = value ?? field.default
      return filled === undefined ? [] : [[name, filled as FormValue]] // cast: checked right after
    })
  )

/**
 * What an accepted form says: with its defaults, without what nobody asked for, checked.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export const filled = (
  { requestedSchema: { properties, required } }: ElicitFormParams,
  given: Content
): Effect.Effect<Content, Unanswered> =>
  Effect.flatMap(
    // loaded when a form is accepted: most programs see none
    Effect.promise(() => import("@effective-mcp/protocol/json-schema")),
    ({ compile }) => {
      const content = complete(properties, given)
      const compiled = compile({ type: "object", properties, ...(required === undefined ? undefined : { required }) })
      if (Result.isFailure(compiled)) return Effect.fail(ours("Unfit", "what was asked for cannot be checked"))
      const checked = compiled.success.check(content)
      if (Result.isSuccess(checked)) return Effect.succeed(content)
      const { reason } = checked.failure
      const [first] = reason._tag === "Mismatch" ? reason.failures : []
      return Effect.fail(
        ours("Unfit", `the content is not as the form asks${first ? `: ${first.path} ${first.message}` : ""}`)
      )
    }
  )
