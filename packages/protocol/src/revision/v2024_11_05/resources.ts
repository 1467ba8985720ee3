import * as Schema from "effect/Schema"
import type { Methods } from "../../model/methods.ts"
import type { ResourceParams, ResourceUpdated } from "../../model/resources.ts"
import { checker, lazy, listChecker, paramsChecker } from "../check.ts"
import { optionalInteger, optionalString } from "../fields.ts"
import { asItIs, list, without } from "../project.ts"
import type { Codec, NotificationCodec } from "../Revision.ts"
import { Annotated } from "./annotations.ts"
import { EmptyResult, notificationParams, Result } from "./basic.ts"
import { BlobResourceContents, encodeContents, TextResourceContents } from "./content.ts"
import { bareMessage, message } from "./jsonrpc.ts"
import { page, pageRequest, PaginatedResult } from "./pagination.ts"

const described = lazy(() => ({
  name: Schema.String,
  description: optionalString(),
  mimeType: optionalString(),
  ...Annotated().fields
}))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#resource */
export const Resource = lazy(() => Schema.Struct({ uri: Schema.String, size: optionalInteger(), ...described() }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#resource-templates */
export const ResourceTemplate = lazy(() => Schema.Struct({ uriTemplate: Schema.String, ...described() }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#listing-resources */
export const ListResourcesRequest = pageRequest("resources/list")

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#listing-resources */
export const ListResourcesResult = lazy(() =>
  Schema.Struct({ resources: Schema.Array(Resource()), ...PaginatedResult().fields })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#resource-templates */
export const ListResourceTemplatesRequest = pageRequest("resources/templates/list")

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#resource-templates */
export const ListResourceTemplatesResult = lazy(() =>
  Schema.Struct({ resourceTemplates: Schema.Array(ResourceTemplate()), ...PaginatedResult().fields })
)

/** Which resource. */
export const resourceParams = lazy(() => Schema.Struct({ uri: Schema.String }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#reading-resources */
export const ReadResourceRequest = message("resources/read", resourceParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#reading-resources */
export const ReadResourceResult = lazy(() =>
  Schema.Struct({
    contents: Schema.Array(Schema.Union([TextResourceContents(), BlobResourceContents()])),
    ...Result().fields
  })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#subscriptions */
export const SubscribeRequest = message("resources/subscribe", resourceParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#subscriptions */
export const UnsubscribeRequest = message("resources/unsubscribe", resourceParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#list-changed-notification */
export const ResourceListChangedNotification = bareMessage("notifications/resources/list_changed", notificationParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#subscriptions */
export const ResourceUpdatedNotification = message("notifications/resources/updated", resourceParams)

/** A resource or a template is its place, name, description, type and annotations here. */
const encode = without(["title", "icons", "_meta"], ["lastModified"])

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#listing-resources */
export const listResources: Codec<Methods["resources/list"]["params"], Methods["resources/list"]["result"]> = {
  ...page,
  decodeResult: listChecker(ListResourcesResult, "resources", Resource),
  encodeResult: list("resources", encode)
}

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#resource-templates */
export const listResourceTemplates: Codec<
  Methods["resources/templates/list"]["params"],
  Methods["resources/templates/list"]["result"]
> = {
  ...page,
  decodeResult: listChecker(ListResourceTemplatesResult, "resourceTemplates", ResourceTemplate),
  encodeResult: list("resourceTemplates", encode)
}

const place = {
  decodeParams: paramsChecker(resourceParams),
  encodeParams: ({ uri }: ResourceParams) => ({ uri })
}

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#reading-resources */
export const readResource: Codec<Methods["resources/read"]["params"], Methods["resources/read"]["result"]> = {
  ...place,
  decodeResult: checker(ReadResourceResult),
  encodeResult: list("contents", encodeContents),
  notFound: -32002
}

/** How subscribing and unsubscribing are carried. @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#subscriptions */
export const subscribeResource: Codec<
  Methods["resources/subscribe"]["params"],
  Methods["resources/subscribe"]["result"]
> = { ...place, decodeResult: checker(EmptyResult), encodeResult: asItIs }

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#subscriptions */
export const resourceUpdated: NotificationCodec<ResourceUpdated> = {
  decodeParams: checker(resourceParams),
  encodeParams: asItIs
}
