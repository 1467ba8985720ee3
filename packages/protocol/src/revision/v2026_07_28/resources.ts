import * as Schema from "effect/Schema"
import type { Methods, Notifications } from "../../model/methods.ts"
import { checker, lazy, listChecker } from "../check.ts"
import { oneOf } from "../fields.ts"
import { asItIs } from "../project.ts"
import type { Codec, NotificationCodec } from "../Revision.ts"
import { resourceParams } from "../v2024_11_05/resources.ts"
import { readResource as readResource_2025_06_18 } from "../v2025_06_18/resources.ts"
import { bareNotification, notification, request } from "../v2025_11_25/jsonrpc.ts"
import {
  listResources as listResources_2025_11_25,
  ListResourcesResult as ListResourcesResult_2025_11_25,
  listResourceTemplates as listResourceTemplates_2025_11_25,
  ListResourceTemplatesResult as ListResourceTemplatesResult_2025_11_25,
  ReadResourceResult as ReadResourceResult_2025_11_25,
  Resource,
  ResourceTemplate
} from "../v2025_11_25/resources.ts"
import { NotificationParams, RequestParams } from "./basic.ts"
import { CacheableResult, decodeHints, encodeHints } from "./caching.ts"
import { InputRequiredResult, InputResponseRequestParams, withoutQuestions } from "./inputRequired.ts"
import { response } from "./jsonrpc.ts"
import { pageRequest } from "./pagination.ts"

export { Resource, ResourceTemplate }

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#listing-resources */
export const ListResourcesRequest = pageRequest("resources/list")

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#listresourcesresult */
export const ListResourcesResult = lazy(() =>
  Schema.Struct({ ...ListResourcesResult_2025_11_25().fields, ...CacheableResult().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#listresourcesresultresponse */
export const ListResourcesResultResponse = response(ListResourcesResult)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates */
export const ListResourceTemplatesRequest = pageRequest("resources/templates/list")

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#listresourcetemplatesresult */
export const ListResourceTemplatesResult = lazy(() =>
  Schema.Struct({ ...ListResourceTemplatesResult_2025_11_25().fields, ...CacheableResult().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#listresourcetemplatesresultresponse */
export const ListResourceTemplatesResultResponse = response(ListResourceTemplatesResult)

/** What names a resource in a request. @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources */
export const ResourceRequestParams = lazy(() =>
  Schema.Struct({ ...RequestParams().fields, ...resourceParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#readresourcerequestparams */
export const ReadResourceRequestParams = lazy(() =>
  Schema.Struct({ ...InputResponseRequestParams().fields, ...resourceParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#readresourcerequest */
export const ReadResourceRequest = request("resources/read", ReadResourceRequestParams)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#readresourceresult */
export const ReadResourceResult = lazy(() =>
  Schema.Struct({ ...ReadResourceResult_2025_11_25().fields, ...CacheableResult().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#readresourceresultresponse */
export const ReadResourceResultResponse = response(oneOf(InputRequiredResult, ReadResourceResult))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#resourcelistchangednotification */
export const ResourceListChangedNotification = bareNotification(
  "notifications/resources/list_changed",
  NotificationParams
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#resourceupdatednotificationparams */
export const ResourceUpdatedNotificationParams = lazy(() =>
  Schema.Struct({ ...NotificationParams().fields, ...resourceParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#resourceupdatednotification */
export const ResourceUpdatedNotification = notification(
  "notifications/resources/updated",
  ResourceUpdatedNotificationParams
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#listing-resources */
export const listResources: Codec<Methods["resources/list"]["params"], Methods["resources/list"]["result"]> = {
  ...listResources_2025_11_25,
  decodeResult: decodeHints(listChecker(ListResourcesResult, "resources", Resource)),
  encodeResult: encodeHints
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates */
export const listResourceTemplates: Codec<
  Methods["resources/templates/list"]["params"],
  Methods["resources/templates/list"]["result"]
> = {
  ...listResourceTemplates_2025_11_25,
  decodeResult: decodeHints(listChecker(ListResourceTemplatesResult, "resourceTemplates", ResourceTemplate)),
  encodeResult: encodeHints
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources */
export const readResource: Codec<Methods["resources/read"]["params"], Methods["resources/read"]["result"]> = {
  ...readResource_2025_06_18,
  decodeResult: decodeHints(checker(ReadResourceResult)),
  encodeResult: (result) => encodeHints(withoutQuestions(result)),
  notFound: -32602
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#resourceupdatednotification */
export const resourceUpdated: NotificationCodec<Notifications["notifications/resources/updated"]> = {
  decodeParams: checker(ResourceUpdatedNotificationParams),
  encodeParams: asItIs
}
