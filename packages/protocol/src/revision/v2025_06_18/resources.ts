import * as Schema from "effect/Schema"
import type { Methods } from "../../model/methods.ts"
import { checker, lazy, listChecker } from "../check.ts"
import { meta, optional, optionalString } from "../fields.ts"
import { legacyAsItIs, list, omit } from "../project.ts"
import type { Codec } from "../Revision.ts"
import {
  listResources as listResources_2024_11_05,
  ListResourcesResult as ListResourcesResult_2024_11_05,
  listResourceTemplates as listResourceTemplates_2024_11_05,
  ListResourceTemplatesResult as ListResourceTemplatesResult_2024_11_05,
  readResource as readResource_2024_11_05,
  ReadResourceResult as ReadResourceResult_2024_11_05,
  Resource as Resource_2024_11_05,
  ResourceTemplate as ResourceTemplate_2024_11_05
} from "../v2024_11_05/resources.ts"
import { Annotations } from "./annotations.ts"
import { BlobResourceContents, TextResourceContents } from "./content.ts"

export {
  ListResourcesRequest,
  ListResourceTemplatesRequest,
  ReadResourceRequest,
  ResourceListChangedNotification,
  ResourceUpdatedNotification,
  SubscribeRequest,
  UnsubscribeRequest
} from "../v2025_03_26/resources.ts"

const described = lazy(() => ({ title: optionalString(), annotations: optional(Annotations()), ...meta() }))

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#resource */
export const Resource = lazy(() => Schema.Struct({ ...Resource_2024_11_05().fields, ...described() }))

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#resourcetemplate */
export const ResourceTemplate = lazy(() => Schema.Struct({ ...ResourceTemplate_2024_11_05().fields, ...described() }))

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#listresourcesresult */
export const ListResourcesResult = lazy(() =>
  Schema.Struct({ ...ListResourcesResult_2024_11_05().fields, resources: Schema.Array(Resource()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#listresourcetemplatesresult */
export const ListResourceTemplatesResult = lazy(() =>
  Schema.Struct({
    ...ListResourceTemplatesResult_2024_11_05().fields,
    resourceTemplates: Schema.Array(ResourceTemplate())
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#readresourceresult */
export const ReadResourceResult = lazy(() =>
  Schema.Struct({
    ...ReadResourceResult_2024_11_05().fields,
    contents: Schema.Array(Schema.Union([TextResourceContents(), BlobResourceContents()]))
  })
)

/** There are no icons here. @see https://modelcontextprotocol.io/specification/2025-06-18/server/resources#listing-resources */
export const listResources: Codec<Methods["resources/list"]["params"], Methods["resources/list"]["result"]> = {
  ...listResources_2024_11_05,
  decodeResult: listChecker(ListResourcesResult, "resources", Resource),
  encodeResult: list("resources", (resource) => omit(resource, ["icons"]))
}

/** There are no icons here. @see https://modelcontextprotocol.io/specification/2025-06-18/server/resources#resource-templates */
export const listResourceTemplates: Codec<
  Methods["resources/templates/list"]["params"],
  Methods["resources/templates/list"]["result"]
> = {
  ...listResourceTemplates_2024_11_05,
  decodeResult: listChecker(ListResourceTemplatesResult, "resourceTemplates", ResourceTemplate),
  encodeResult: list("resourceTemplates", (template) => omit(template, ["icons"]))
}

/** @see https://modelcontextprotocol.io/specification/2025-06-18/server/resources#reading-resources */
export const readResource: Codec<Methods["resources/read"]["params"], Methods["resources/read"]["result"]> = {
  ...readResource_2024_11_05,
  decodeResult: checker(ReadResourceResult),
  encodeResult: legacyAsItIs
}
