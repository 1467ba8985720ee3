import * as Schema from "effect/Schema"
import { isObject } from "../../JsonRpc.ts"
import type { Methods, Notifications } from "../../model/methods.ts"
import type { ListenParams } from "../../model/subscriptions.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { optional, optionalBoolean, optionalString, strings } from "../fields.ts"
import { asItIs } from "../project.ts"
import type { Codec, NotificationCodec } from "../Revision.ts"
import { notification, request } from "../v2025_11_25/jsonrpc.ts"
import { NotificationParams, RequestId, RequestParams, ResultMetaObject } from "./basic.ts"
import { response } from "./jsonrpc.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionfilter */
export const SubscriptionFilter = lazy(() =>
  Schema.Struct({
    toolsListChanged: optionalBoolean(),
    promptsListChanged: optionalBoolean(),
    resourcesListChanged: optionalBoolean(),
    resourceSubscriptions: optional(strings())
  })
)

const wish = lazy(() => ({ notifications: SubscriptionFilter() }))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionslistenrequestparams */
export const SubscriptionsListenRequestParams = lazy(() => Schema.Struct({ ...RequestParams().fields, ...wish() }))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionslistenrequest */
export const SubscriptionsListenRequest = request("subscriptions/listen", SubscriptionsListenRequestParams)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionslistenresultmetaobject */
export const SubscriptionsListenResultMetaObject = lazy(() =>
  Schema.Struct({ ...ResultMetaObject().fields, "io.modelcontextprotocol/subscriptionId": RequestId() })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionslistenresult */
export const SubscriptionsListenResult = lazy(() =>
  Schema.Struct({ resultType: optionalString(), _meta: SubscriptionsListenResultMetaObject() })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionslistenresultresponse */
export const SubscriptionsListenResultResponse = response(SubscriptionsListenResult)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionsacknowledgednotificationparams */
export const SubscriptionsAcknowledgedNotificationParams = lazy(() =>
  Schema.Struct({ ...NotificationParams().fields, ...wish() })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionsacknowledgednotification */
export const SubscriptionsAcknowledgedNotification = notification(
  "notifications/subscriptions/acknowledged",
  SubscriptionsAcknowledgedNotificationParams
)

/** A wish for lists alone. */
const isPlainWish = (params: unknown): params is ListenParams => {
  if (!isObject(params) || !isObject(params.notifications)) return false
  const { notifications } = params
  for (const key in notifications) {
    if (key === "resourceSubscriptions" || typeof notifications[key] !== "boolean") return false
  }
  return true
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions */
export const listen: Codec<Methods["subscriptions/listen"]["params"], Methods["subscriptions/listen"]["result"]> = {
  decodeParams: paramsChecker(
    lazy(() => Schema.Struct(wish())),
    isPlainWish
  ),
  encodeParams: ({ notifications }: ListenParams) => ({ notifications }),
  decodeResult: checker(SubscriptionsListenResult),
  encodeResult: asItIs
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions */
export const acknowledged: NotificationCodec<Notifications["notifications/subscriptions/acknowledged"]> = {
  decodeParams: checker(SubscriptionsAcknowledgedNotificationParams),
  encodeParams: asItIs
}
