import type { Revision } from "./Revision.ts"
import { v2024_11_05 } from "./v2024_11_05/index.ts"
import { v2025_03_26 } from "./v2025_03_26/index.ts"
import { v2025_06_18 } from "./v2025_06_18/index.ts"
import { v2025_11_25 } from "./v2025_11_25/index.ts"
import { v2026_07_28 } from "./v2026_07_28/index.ts"

/**
 * The revisions of each era, newest first: the first is the one to propose.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#terminology
 */
export const modern: readonly [Revision, ...Array<Revision>] = [v2026_07_28]
export const legacy: readonly [Revision, ...Array<Revision>] = [v2025_11_25, v2025_06_18, v2025_03_26, v2024_11_05]

/** The newest of `revisions` that `versions` names. */
export const newestOf = (revisions: ReadonlyArray<Revision>, versions: ReadonlyArray<string>): Revision | undefined =>
  revisions.find(({ version }) => versions.includes(version))

export const versionsOf = (revisions: ReadonlyArray<Revision>): ReadonlyArray<string> =>
  revisions.map(({ version }) => version)

/**
 * Whether the revision that `version` names has batches.
 *
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 */
export const allowsBatches = (version: unknown): boolean =>
  legacy.some((revision) => revision.version === version && revision.batches === true)
