import * as Schema from "effect/Schema"
import type { LogMessage } from "../../model/logging.ts"
import { checker, lazy } from "../check.ts"
import { asItIs } from "../project.ts"
import type { NotificationCodec } from "../Revision.ts"
import { levelParams, logParams } from "../v2024_11_05/logging.ts"
import { NotificationParams, RequestParams } from "./basic.ts"
import { notification, request } from "./jsonrpc.ts"

export { LoggingLevel } from "../v2025_06_18/logging.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#loggingmessagenotificationparams */
export const LoggingMessageNotificationParams = lazy(() =>
  Schema.Struct({ ...NotificationParams().fields, ...logParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#loggingmessagenotification */
export const LoggingMessageNotification = notification("notifications/message", LoggingMessageNotificationParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#setlevelrequestparams */
export const SetLevelRequestParams = lazy(() => Schema.Struct({ ...RequestParams().fields, ...levelParams().fields }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#setlevelrequest */
export const SetLevelRequest = request("logging/setLevel", SetLevelRequestParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging */
export const logMessage: NotificationCodec<LogMessage> = {
  decodeParams: checker(LoggingMessageNotificationParams),
  encodeParams: asItIs
}
