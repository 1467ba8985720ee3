import { oneOf } from "../fields.ts"
import { Result } from "./basic.ts"
import { CancelledNotification } from "./cancellation.ts"
import { CompleteRequest, CompleteResult } from "./completion.ts"
import { DiscoverRequest, DiscoverResult } from "./discovery.ts"
import { InputRequiredResult } from "./inputRequired.ts"
import { LoggingMessageNotification } from "./logging.ts"
import { ProgressNotification } from "./progress.ts"
import {
  GetPromptRequest,
  GetPromptResult,
  ListPromptsRequest,
  ListPromptsResult,
  PromptListChangedNotification
} from "./prompts.ts"
import {
  ListResourcesRequest,
  ListResourcesResult,
  ListResourceTemplatesRequest,
  ListResourceTemplatesResult,
  ReadResourceRequest,
  ReadResourceResult,
  ResourceListChangedNotification,
  ResourceUpdatedNotification
} from "./resources.ts"
import {
  SubscriptionsAcknowledgedNotification,
  SubscriptionsListenRequest,
  SubscriptionsListenResult
} from "./subscriptions.ts"
import {
  CallToolRequest,
  CallToolResult,
  ListToolsRequest,
  ListToolsResult,
  ToolListChangedNotification
} from "./tools.ts"

export { CancelledNotification as ClientNotification } from "./cancellation.ts"
export { Result as ClientResult } from "./basic.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#messages */
export const ClientRequest = oneOf(
  DiscoverRequest,
  ListResourcesRequest,
  ListResourceTemplatesRequest,
  ReadResourceRequest,
  SubscriptionsListenRequest,
  ListPromptsRequest,
  GetPromptRequest,
  ListToolsRequest,
  CallToolRequest,
  CompleteRequest
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#messages */
export const ServerNotification = oneOf(
  CancelledNotification,
  ProgressNotification,
  ResourceListChangedNotification,
  SubscriptionsAcknowledgedNotification,
  ResourceUpdatedNotification,
  PromptListChangedNotification,
  ToolListChangedNotification,
  LoggingMessageNotification
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#messages */
export const ServerResult = oneOf(
  Result,
  InputRequiredResult,
  DiscoverResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  SubscriptionsListenResult,
  ListPromptsResult,
  GetPromptResult,
  ListToolsResult,
  CallToolResult,
  CompleteResult
)
