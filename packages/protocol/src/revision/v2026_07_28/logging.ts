import * as Schema from "effect/Schema"
import type { LogMessage } from "../../model/logging.ts"
import { checker, lazy } from "../check.ts"
import { asItIs } from "../project.ts"
import type { NotificationCodec } from "../Revision.ts"
import { logParams } from "../v2024_11_05/logging.ts"
import { notification } from "../v2025_11_25/jsonrpc.ts"
import { NotificationParams } from "./basic.ts"

export { LoggingLevel } from "../v2025_11_25/logging.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#loggingmessagenotificationparams */
export const LoggingMessageNotificationParams = lazy(() =>
  Schema.Struct({ ...NotificationParams().fields, ...logParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#loggingmessagenotification */
export const LoggingMessageNotification = notification("notifications/message", LoggingMessageNotificationParams)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging */
export const logMessage: NotificationCodec<LogMessage> = {
  decodeParams: checker(LoggingMessageNotificationParams),
  encodeParams: asItIs
}
