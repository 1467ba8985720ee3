import * as Schema from "effect/Schema"
import type { Questions } from "../../model/methods.ts"
import { checker, lazy } from "../check.ts"
import { meta } from "../fields.ts"
import { asItIs, omit } from "../project.ts"
import type { QuestionCodec } from "../Revision.ts"
import { bareMessage } from "../v2024_11_05/jsonrpc.ts"
import { listRoots as listRoots_2025_06_18 } from "../v2025_06_18/roots.ts"
import { Root } from "../v2025_11_25/roots.ts"

export { Root }

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#listrootsrequest */
export const ListRootsRequest = bareMessage(
  "roots/list",
  lazy(() => Schema.Struct(meta()))
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#listrootsresult */
export const ListRootsResult = lazy(() => Schema.Struct({ roots: Schema.Array(Root()) }))

/** Neither the question nor its answer has metadata. @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots */
export const listRoots: QuestionCodec<Questions["roots/list"]["params"], Questions["roots/list"]["result"]> = {
  ...listRoots_2025_06_18,
  decodeResult: checker(ListRootsResult),
  encodeResult: (result) => asItIs(omit(result, ["_meta"]))
}
