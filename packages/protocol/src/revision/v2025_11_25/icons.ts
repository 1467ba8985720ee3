import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { optional, optionalString, strings } from "../fields.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#icon */
export const Icon = lazy(() =>
  Schema.Struct({
    src: Schema.String,
    mimeType: optionalString(),
    sizes: optional(strings()),
    theme: optional(Schema.Literals(["light", "dark"]))
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic#icons */
export const Icons = lazy(() => Schema.Struct({ icons: optional(Schema.Array(Icon())) }))
