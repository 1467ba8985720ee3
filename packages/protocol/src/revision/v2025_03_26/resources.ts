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
