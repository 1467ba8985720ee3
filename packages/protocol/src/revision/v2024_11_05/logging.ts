import * as Schema from "effect/Schema"
import { type LogMessage, loggingLevels, type SetLevelParams } from "../../model/logging.ts"
import type { EmptyResult as Empty } from "../../model/methods.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { optionalString } from "../fields.ts"
import { asItIs } from "../project.ts"
import type { Codec, NotificationCodec } from "../Revision.ts"
import { EmptyResult } from "./basic.ts"
import { message } from "./jsonrpc.ts"

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/logging#log-levels */
export const LoggingLevel = lazy(() => Schema.Literals(loggingLevels))

/** What is logged. */
export const logParams = lazy(() =>
  Schema.Struct({ level: LoggingLevel(), data: Schema.Unknown, logger: optionalString() })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/logging#log-message-notifications */
export const LoggingMessageNotification = message("notifications/message", logParams)

/** Which level. */
export const levelParams = lazy(() => Schema.Struct({ level: LoggingLevel() }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/logging#setting-log-level */
export const SetLevelRequest = message("logging/setLevel", levelParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/logging#setting-log-level */
export const setLevel: Codec<SetLevelParams, Empty> = {
  decodeParams: paramsChecker(levelParams),
  encodeParams: ({ level }) => ({ level }),
  decodeResult: checker(EmptyResult),
  encodeResult: asItIs
}

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/logging#log-message-notifications */
export const logMessage: NotificationCodec<LogMessage> = { decodeParams: checker(logParams), encodeParams: asItIs }
