import { oneOf } from "../fields.ts"
import { Result } from "./basic.ts"
import { CancelledNotification } from "./cancellation.ts"
import { CompleteRequest, CompleteResult } from "./completion.ts"
import { ElicitationCompleteNotification, ElicitRequest, ElicitResult } from "./elicitation.ts"
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
  CancelTaskRequest,
  CancelTaskResult,
  GetTaskPayloadRequest,
  GetTaskPayloadResult,
  GetTaskRequest,
  GetTaskResult,
  ListTasksRequest,
  ListTasksResult,
  TaskStatusNotification
} from "./tasks.ts"
import {
  CallToolRequest,
  CallToolResult,
  ListToolsRequest,
  ListToolsResult,
  ToolListChangedNotification
} from "./tools.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic#messages */
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
  GetTaskRequest,
  GetTaskPayloadRequest,
  CancelTaskRequest,
  ListTasksRequest,
  SetLevelRequest,
  CompleteRequest
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic#messages */
export const ClientNotification = oneOf(
  CancelledNotification,
  InitializedNotification,
  ProgressNotification,
  TaskStatusNotification,
  RootsListChangedNotification
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic#messages */
export const ClientResult = oneOf(
  Result,
  GetTaskResult,
  GetTaskPayloadResult,
  CancelTaskResult,
  ListTasksResult,
  CreateMessageResult,
  ListRootsResult,
  ElicitResult
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic#messages */
export const ServerRequest = oneOf(
  PingRequest,
  GetTaskRequest,
  GetTaskPayloadRequest,
  CancelTaskRequest,
  ListTasksRequest,
  CreateMessageRequest,
  ListRootsRequest,
  ElicitRequest
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic#messages */
export const ServerNotification = oneOf(
  CancelledNotification,
  ProgressNotification,
  ResourceListChangedNotification,
  ResourceUpdatedNotification,
  PromptListChangedNotification,
  ToolListChangedNotification,
  TaskStatusNotification,
  LoggingMessageNotification,
  ElicitationCompleteNotification
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic#messages */
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
  GetTaskResult,
  GetTaskPayloadResult,
  CancelTaskResult,
  ListTasksResult,
  CompleteResult
)
