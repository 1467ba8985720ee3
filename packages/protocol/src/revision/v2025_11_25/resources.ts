import * as Schema from "effect/Schema"
import type { Methods, Notifications } from "../../model/methods.ts"
import { checker, lazy, listChecker } from "../check.ts"
import { asItIs, list } from "../project.ts"
import type { Codec, NotificationCodec } from "../Revision.ts"
import { resourceParams } from "../v2024_11_05/resources.ts"
import {
  listResources as listResources_2025_06_18,
  ListResourcesResult as ListResourcesResult_2025_06_18,
  listResourceTemplates as listResourceTemplates_2025_06_18,
  ListResourceTemplatesResult as ListResourceTemplatesResult_2025_06_18,
  Resource as Resource_2025_06_18,
  ResourceTemplate as ResourceTemplate_2025_06_18
} from "../v2025_06_18/resources.ts"
import { NotificationParams, RequestParams } from "./basic.ts"
import { Icons } from "./icons.ts"
import { bareNotification, notification, request } from "./jsonrpc.ts"
import { pageRequest } from "./pagination.ts"

export { ReadResourceResult } from "../v2025_06_18/resources.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#resource */
export const Resource = lazy(() => Schema.Struct({ ...Resource_2025_06_18().fields, ...Icons().fields }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#resourcetemplate */
export const ResourceTemplate = lazy(() =>
  Schema.Struct({ ...ResourceTemplate_2025_06_18().fields, ...Icons().fields })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#listing-resources */
export const ListResourcesRequest = pageRequest("resources/list")

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#listresourcesresult */
export const ListResourcesResult = lazy(() =>
  Schema.Struct({ ...ListResourcesResult_2025_06_18().fields, resources: Schema.Array(Resource()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#resource-templates */
export const ListResourceTemplatesRequest = pageRequest("resources/templates/list")

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#listresourcetemplatesresult */
export const ListResourceTemplatesResult = lazy(() =>
  Schema.Struct({
    ...ListResourceTemplatesResult_2025_06_18().fields,
    resourceTemplates: Schema.Array(ResourceTemplate())
  })
)

/** What names a resource in a request. @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#reading-resources */
export const ResourceRequestParams = lazy(() =>
  Schema.Struct({ ...RequestParams().fields, ...resourceParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#readresourcerequestparams */
export const ReadResourceRequestParams = lazy(() => ResourceRequestParams())

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#subscriberequestparams */
export const SubscribeRequestParams = lazy(() => ResourceRequestParams())

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#unsubscriberequestparams */
export const UnsubscribeRequestParams = lazy(() => ResourceRequestParams())

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#readresourcerequest */
export const ReadResourceRequest = request("resources/read", ReadResourceRequestParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#subscriberequest */
export const SubscribeRequest = request("resources/subscribe", SubscribeRequestParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#unsubscriberequest */
export const UnsubscribeRequest = request("resources/unsubscribe", UnsubscribeRequestParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#list-changed-notification */
export const ResourceListChangedNotification = bareNotification(
  "notifications/resources/list_changed",
  NotificationParams
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#resourceupdatednotificationparams */
export const ResourceUpdatedNotificationParams = lazy(() =>
  Schema.Struct({ ...NotificationParams().fields, ...resourceParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#resourceupdatednotification */
export const ResourceUpdatedNotification = notification(
  "notifications/resources/updated",
  ResourceUpdatedNotificationParams
)

/** There are no caching hints here. @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#listing-resources */
export const listResources: Codec<Methods["resources/list"]["params"], Methods["resources/list"]["result"]> = {
  ...listResources_2025_06_18,
  decodeResult: listChecker(ListResourcesResult, "resources", Resource),
  encodeResult: list("resources")
}

/** There are no caching hints here. @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#resource-templates */
export const listResourceTemplates: Codec<
  Methods["resources/templates/list"]["params"],
  Methods["resources/templates/list"]["result"]
> = {
  ...listResourceTemplates_2025_06_18,
  decodeResult: listChecker(ListResourceTemplatesResult, "resourceTemplates", ResourceTemplate),
  encodeResult: list("resourceTemplates")
}

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions */
export const resourceUpdated: NotificationCodec<Notifications["notifications/resources/updated"]> = {
  decodeParams: checker(ResourceUpdatedNotificationParams),
  encodeParams: asItIs
}
