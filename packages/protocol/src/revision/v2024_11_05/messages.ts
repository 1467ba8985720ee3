import { oneOf } from "../fields.ts"
import { Result } from "./basic.ts"
import { CancelledNotification } from "./cancellation.ts"
import { CompleteRequest, CompleteResult } from "./completion.ts"
import { InitializedNotification, InitializeRequest, InitializeResult, PingRequest } from "./lifecycle.ts"
import { LoggingMessageNotification, SetLevelRequest } from "./logging.ts"
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
  ResourceUpdatedNotification,
  SubscribeRequest,
  UnsubscribeRequest
} from "./resources.ts"
import { ListRootsRequest, ListRootsResult, RootsListChangedNotification } from "./roots.ts"
import { CreateMessageRequest, CreateMessageResult } from "./sampling.ts"
import {
  CallToolRequest,
  CallToolResult,
  ListToolsRequest,
  ListToolsResult,
  ToolListChangedNotification
} from "./tools.ts"

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#requests */
export const ClientRequest = oneOf(
  InitializeRequest,
  PingRequest,
  ListResourcesRequest,
  ListResourceTemplatesRequest,
  ReadResourceRequest,
  SubscribeRequest,
  UnsubscribeRequest,
  ListPromptsRequest,
  GetPromptRequest,
  ListToolsRequest,
  CallToolRequest,
  SetLevelRequest,
  CompleteRequest
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#notifications */
export const ClientNotification = oneOf(
  CancelledNotification,
  InitializedNotification,
  ProgressNotification,
  RootsListChangedNotification
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#responses */
export const ClientResult = oneOf(Result, CreateMessageResult, ListRootsResult)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#requests */
export const ServerRequest = oneOf(PingRequest, CreateMessageRequest, ListRootsRequest)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#notifications */
export const ServerNotification = oneOf(
  CancelledNotification,
  ProgressNotification,
  ResourceListChangedNotification,
  ResourceUpdatedNotification,
  PromptListChangedNotification,
  ToolListChangedNotification,
  LoggingMessageNotification
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#responses */
export const ServerResult = oneOf(
  Result,
  InitializeResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  ListPromptsResult,
  GetPromptResult,
  ListToolsResult,
  CallToolResult,
  CompleteResult
)
