import * as Schema from "effect/Schema"
import type { ClientCapabilities as Declared } from "../../model/capabilities.ts"
import { lazy } from "../check.ts"
import { object, optional } from "../fields.ts"
import { omit } from "../project.ts"
import { named } from "../v2024_11_05/capabilities.ts"
import { ServerCapabilities as ServerCapabilities_2025_06_18 } from "../v2025_06_18/capabilities.ts"
import { ClientCapabilities as ClientCapabilities_2025_11_25 } from "../v2025_11_25/capabilities.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#clientcapabilities */
export const ClientCapabilities = lazy(() => {
  const { elicitation, experimental, sampling } = ClientCapabilities_2025_11_25().fields
  return Schema.Struct({ elicitation, experimental, extensions: named(), roots: optional(object()), sampling })
})

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#servercapabilities */
export const ServerCapabilities = lazy(() =>
  Schema.Struct({ ...ServerCapabilities_2025_06_18().fields, extensions: named() })
)

/**
 * Tasks are an extension here, no capability of their own, and no client tells of changed roots.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#clientcapabilities
 */
export const clientCapabilities = (capabilities: Declared): Declared => {
  const kept: Declared = omit(capabilities, ["tasks"])
  if (kept.roots === undefined) return kept
  const roots = omit(kept.roots, ["listChanged"])
  return roots === kept.roots ? kept : { ...kept, roots }
}
