import * as Schema from "effect/Schema"
import type { EmptyParams } from "../../model/methods.ts"
import type { ListRootsResult as Roots } from "../../model/roots.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { optionalString } from "../fields.ts"
import { asItIs, omit } from "../project.ts"
import type { QuestionCodec } from "../Revision.ts"
import { notificationParams, requestParams, Result } from "./basic.ts"
import { bareMessage } from "./jsonrpc.ts"

/** @see https://modelcontextprotocol.io/specification/2024-11-05/client/roots#root */
export const Root = lazy(() => Schema.Struct({ uri: Schema.String, name: optionalString() }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/client/roots#listing-roots */
export const ListRootsRequest = bareMessage("roots/list", requestParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/client/roots#listing-roots */
export const ListRootsResult = lazy(() => Schema.Struct({ roots: Schema.Array(Root()), ...Result().fields }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/client/roots#root-list-changes */
export const RootsListChangedNotification = bareMessage("notifications/roots/list_changed", notificationParams)

/** A root has no metadata here. @see https://modelcontextprotocol.io/specification/2024-11-05/client/roots */
export const listRoots: QuestionCodec<EmptyParams, Roots> = {
  decodeParams: paramsChecker(requestParams),
  encodeParams: asItIs,
  decodeResult: checker(ListRootsResult),
  encodeResult: (result) => ({ ...result, roots: result.roots.map((root) => omit(root, ["_meta"])) })
}
