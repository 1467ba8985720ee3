import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { optionalString } from "../fields.ts"
import { Annotations as Annotations_2025_03_26 } from "../v2025_03_26/annotations.ts"

export { Role } from "../v2025_03_26/annotations.ts"

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#annotations */
export const Annotations = lazy(() =>
  Schema.Struct({ ...Annotations_2025_03_26().fields, lastModified: optionalString() })
)

/** The name that programs use and the one that people see. @see https://modelcontextprotocol.io/specification/2025-06-18/schema */
export const BaseMetadata = lazy(() => Schema.Struct({ name: Schema.String, title: optionalString() }))
