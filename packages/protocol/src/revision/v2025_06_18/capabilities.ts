import * as Schema from "effect/Schema"
import type { ClientCapabilities as Declared } from "../../model/capabilities.ts"
import { lazy } from "../check.ts"
import { object, optional } from "../fields.ts"
import { omit } from "../project.ts"
import { clientWithout } from "../v2024_11_05/capabilities.ts"
import { ClientCapabilities as ClientCapabilities_2025_03_26 } from "../v2025_03_26/capabilities.ts"

export { ServerCapabilities } from "../v2025_03_26/capabilities.ts"

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#clientcapabilities */
export const ClientCapabilities = lazy(() =>
  Schema.Struct({ ...ClientCapabilities_2025_03_26().fields, elicitation: optional(object()) })
)

const withoutModes = clientWithout(["tasks", "extensions"])

/**
 * Elicitation is by forms here, whatever it says of itself: it is left out where forms are not offered.
 *
 * @see https://modelcontextprotocol.io/specification/2025-06-18/client/elicitation#capabilities
 */
export const clientCapabilities = (capabilities: Declared): Declared => {
  const kept = withoutModes(capabilities)
  const { elicitation } = kept
  if (elicitation === undefined) return kept
  if (elicitation.form === undefined && elicitation.url !== undefined) return omit(kept, ["elicitation"])
  const whole = omit(elicitation, ["form", "url"])
  return whole === elicitation ? kept : { ...kept, elicitation: whole }
}
