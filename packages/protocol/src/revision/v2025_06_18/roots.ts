import * as Schema from "effect/Schema"
import type { Questions } from "../../model/methods.ts"
import { checker, lazy } from "../check.ts"
import { meta } from "../fields.ts"
import { asItIs } from "../project.ts"
import type { QuestionCodec } from "../Revision.ts"
import {
  listRoots as listRoots_2024_11_05,
  ListRootsResult as ListRootsResult_2024_11_05,
  Root as Root_2024_11_05
} from "../v2024_11_05/roots.ts"

export { ListRootsRequest, RootsListChangedNotification } from "../v2025_03_26/roots.ts"

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#root */
export const Root = lazy(() => Schema.Struct({ ...Root_2024_11_05().fields, ...meta() }))

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#listrootsresult */
export const ListRootsResult = lazy(() =>
  Schema.Struct({ ...ListRootsResult_2024_11_05().fields, roots: Schema.Array(Root()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/client/roots */
export const listRoots: QuestionCodec<Questions["roots/list"]["params"], Questions["roots/list"]["result"]> = {
  ...listRoots_2024_11_05,
  decodeResult: checker(ListRootsResult),
  encodeResult: asItIs
}
