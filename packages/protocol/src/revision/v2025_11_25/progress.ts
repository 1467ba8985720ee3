import * as Schema from "effect/Schema"
import type { Notifications } from "../../model/methods.ts"
import { checker, lazy } from "../check.ts"
import { asItIs } from "../project.ts"
import type { NotificationCodec } from "../Revision.ts"
import { progressParams } from "../v2025_03_26/progress.ts"
import { NotificationParams } from "./basic.ts"
import { notification } from "./jsonrpc.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#progressnotificationparams */
export const ProgressNotificationParams = lazy(() =>
  Schema.Struct({ ...NotificationParams().fields, ...progressParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#progressnotification */
export const ProgressNotification = notification("notifications/progress", ProgressNotificationParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress */
export const progress: NotificationCodec<Notifications["notifications/progress"]> = {
  decodeParams: checker(ProgressNotificationParams),
  encodeParams: asItIs
}
