import { oneOf } from "../fields.ts"
import { Result } from "./basic.ts"
import { CancelledNotification } from "./cancellation.ts"
import { CompleteResult } from "./completion.ts"
import { InitializedNotification, InitializeResult, PingRequest } from "./lifecycle.ts"
import { LoggingMessageNotification } from "./logging.ts"
import { ProgressNotification } from "./progress.ts"
import { GetPromptResult, ListPromptsResult, PromptListChangedNotification } from "./prompts.ts"
import {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  ResourceListChangedNotification,
  ResourceUpdatedNotification
} from "./resources.ts"
import { ListRootsRequest, ListRootsResult, RootsListChangedNotification } from "./roots.ts"
import { CreateMessageRequest, CreateMessageResult } from "./sampling.ts"
import { CallToolResult, ListToolsResult, ToolListChangedNotification } from "./tools.ts"

export { ClientRequest } from "../v2024_11_05/messages.ts"

/** @see https://modelcontextprotocol.io/specification/2025-03-26/basic#notifications */
export const ClientNotification = oneOf(
  CancelledNotification,
  InitializedNotification,
  ProgressNotification,
  RootsListChangedNotification
)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/basic#responses */
export const ClientResult = oneOf(Result, CreateMessageResult, ListRootsResult)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/basic#requests */
export const ServerRequest = oneOf(PingRequest, CreateMessageRequest, ListRootsRequest)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/basic#notifications */
export const ServerNotification = oneOf(
  CancelledNotification,
  ProgressNotification,
  ResourceListChangedNotification,
  ResourceUpdatedNotification,
  PromptListChangedNotification,
  ToolListChangedNotification,
  LoggingMessageNotification
)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/basic#responses */
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
