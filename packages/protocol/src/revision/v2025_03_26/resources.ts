/** Unchanged since 2024-11-05. @see https://modelcontextprotocol.io/specification/2025-03-26/server/resources */
export {
  ListResourcesRequest,
  ListResourcesResult,
  ListResourceTemplatesRequest,
  ListResourceTemplatesResult,
  ReadResourceRequest,
  ReadResourceResult,
  Resource,
  ResourceListChangedNotification,
  ResourceTemplate,
  ResourceUpdatedNotification,
  SubscribeRequest,
  UnsubscribeRequest
} from "../v2024_11_05/resources.ts"
