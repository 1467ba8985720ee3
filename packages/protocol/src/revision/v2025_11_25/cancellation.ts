import * as Schema from "effect/Schema"
import type { Cancelled } from "../../model/cancellation.ts"
import { checker, lazy } from "../check.ts"
import { optional, optionalString } from "../fields.ts"
import { asItIs } from "../project.ts"
import type { NotificationCodec } from "../Revision.ts"
import { NotificationParams, RequestId } from "./basic.ts"
import { notification } from "./jsonrpc.ts"

/** There is no request's id where a task is meant. @see https://modelcontextprotocol.io/specification/2025-11-25/schema#cancellednotificationparams */
export const CancelledNotificationParams = lazy(() =>
  Schema.Struct({ ...NotificationParams().fields, requestId: optional(RequestId()), reason: optionalString() })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#cancellednotification */
export const CancelledNotification = notification("notifications/cancelled", CancelledNotificationParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation */
export const cancelled: NotificationCodec<Cancelled> = {
  decodeParams: checker(CancelledNotificationParams),
  encodeParams: asItIs
}
