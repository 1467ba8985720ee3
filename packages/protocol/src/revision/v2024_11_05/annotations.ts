import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { fraction, optional } from "../fields.ts"

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#promptmessage */
export const Role = lazy(() => Schema.Literals(["user", "assistant"]))

/** What later revisions call `Annotations`. */
export const annotations = lazy(() =>
  Schema.Struct({ audience: optional(Schema.Array(Role())), priority: optional(fraction()) })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#data-types */
export const Annotated = lazy(() => Schema.Struct({ annotations: optional(annotations()) }))
