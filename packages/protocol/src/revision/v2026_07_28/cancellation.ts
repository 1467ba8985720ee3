import * as Schema from "effect/Schema"
import type { Cancelled } from "../../model/cancellation.ts"
import { checker, lazy } from "../check.ts"
import { asItIs } from "../project.ts"
import type { NotificationCodec } from "../Revision.ts"
import { cancelledParams } from "../v2024_11_05/cancellation.ts"
import { notification } from "../v2025_11_25/jsonrpc.ts"
import { NotificationParams } from "./basic.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#cancellednotificationparams */
export const CancelledNotificationParams = lazy(() =>
  Schema.Struct({ ...NotificationParams().fields, ...cancelledParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#cancellednotification */
export const CancelledNotification = notification("notifications/cancelled", CancelledNotificationParams)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation */
export const cancelled: NotificationCodec<Cancelled> = {
  decodeParams: checker(CancelledNotificationParams),
  encodeParams: asItIs
}
