import * as Schema from "effect/Schema"
import type { Cancelled } from "../../model/cancellation.ts"
import { checker, lazy } from "../check.ts"
import { optionalString } from "../fields.ts"
import { asItIs } from "../project.ts"
import type { NotificationCodec } from "../Revision.ts"
import { RequestId } from "./basic.ts"
import { message } from "./jsonrpc.ts"

/** What is cancelled, and why. */
export const cancelledParams = lazy(() => Schema.Struct({ requestId: RequestId(), reason: optionalString() }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/utilities/cancellation#cancellation-flow */
export const CancelledNotification = message("notifications/cancelled", cancelledParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/utilities/cancellation */
export const cancelled: NotificationCodec<Cancelled> = {
  decodeParams: checker(cancelledParams),
  encodeParams: asItIs
}
