import { legacyRevisions, modernRevisions, type Revision, versionsOf } from "@effective-mcp/protocol"
import type { Mode } from "./Negotiate.ts"

const revisions = [...modernRevisions, ...legacyRevisions]

/** The one revision that is asked for, and the era that it leaves. A version that is none, or of another era, throws. */
export const pinOf = (
  mode: Mode,
  asked: string | undefined
): { readonly mode: Mode; readonly pin: Revision | undefined } => {
  if (asked === undefined) return { mode, pin: undefined }
  const pin = revisions.find(({ version }) => version === asked)
  if (pin === undefined) throw new Error(`revision is none of ${versionsOf(revisions).join(", ")}: ${asked}`)
  if (mode !== "auto" && mode !== pin.era) throw new Error(`revision ${asked} is not of the ${mode} era`)
  return { mode: pin.era, pin }
}
