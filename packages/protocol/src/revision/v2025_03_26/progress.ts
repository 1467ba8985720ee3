import * as Schema from "effect/Schema"
import type { Notifications } from "../../model/methods.ts"
import { checker, lazy } from "../check.ts"
import { optionalString } from "../fields.ts"
import { asItIs } from "../project.ts"
import type { NotificationCodec } from "../Revision.ts"
import { message } from "../v2024_11_05/jsonrpc.ts"
import { progressParams as progressParams_2024_11_05 } from "../v2024_11_05/progress.ts"

/** How far a request has got, and in words. */
export const progressParams = lazy(() =>
  Schema.Struct({ ...progressParams_2024_11_05().fields, message: optionalString() })
)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/basic/utilities/progress#progress-flow */
export const ProgressNotification = message("notifications/progress", progressParams)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/basic/utilities/progress */
export const progress: NotificationCodec<Notifications["notifications/progress"]> = {
  decodeParams: checker(progressParams),
  encodeParams: asItIs
}
