import * as Schema from "effect/Schema"
import type { Notifications } from "../../model/methods.ts"
import { checker, lazy } from "../check.ts"
import { optionalNumber } from "../fields.ts"
import { omit } from "../project.ts"
import type { NotificationCodec } from "../Revision.ts"
import { ProgressToken } from "./basic.ts"
import { message } from "./jsonrpc.ts"

/** How far a request has got. */
export const progressParams = lazy(() =>
  Schema.Struct({ progressToken: ProgressToken(), progress: Schema.Finite, total: optionalNumber() })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/utilities/progress#progress-flow */
export const ProgressNotification = message("notifications/progress", progressParams)

/** There are no words with the numbers here. @see https://modelcontextprotocol.io/specification/2024-11-05/basic/utilities/progress */
export const progress: NotificationCodec<Notifications["notifications/progress"]> = {
  decodeParams: checker(progressParams),
  encodeParams: (params) => omit(params, ["message"])
}
