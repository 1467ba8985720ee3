export * as Answers from "./Answers.ts"
export type { Why } from "./answers/Unanswered.ts"
export type { CacheInfo, CacheOptions } from "./Cache.ts"
export { type CacheEntry, type CacheKey, type CacheKind, CacheStore, type MemoryOptions } from "./cache/CacheStore.ts"
export * as Client from "./Client.ts"
export {
  type CallError,
  type ConnectError,
  EndlessList,
  NoCommonRevision,
  NotOffered,
  Withheld
} from "./ClientError.ts"
export type { Heard, Hub, List, ServerChange } from "./Hub.ts"
export type { Extensions } from "./extensions.ts"
export type { Mode } from "./era/Negotiate.ts"
export type { Guard } from "./Guard.ts"
export * as Group from "./Group.ts"
export { bringsInput, resume, roundOf, type Wait } from "./InputLoop.ts"
export { type Askable, type InputReason, InputRequired, type InputResponses, type Round } from "./InputRequired.ts"
export type { Metadata } from "./Metadata.ts"
export type { Middleware, Operation } from "./Middleware.ts"
export type { RetryOptions } from "./Retry.ts"
export type { RequestOptions, Session, SessionLike, Watch, Watched } from "./Session.ts"
export type { State } from "./State.ts"
export * as Completion from "./feature/Completion.ts"
export * as Extension from "./feature/Extension.ts"
export * as Logging from "./feature/Logging.ts"
export * as Prompts from "./feature/Prompts.ts"
export * as Resources from "./feature/Resources.ts"
export * as Subscriptions from "./feature/Subscriptions.ts"
export * as Tools from "./feature/Tools.ts"
export {
  type CallToolResult,
  type CompleteResult,
  type Connection,
  type Content,
  type CreateMessageParams,
  type CreateMessageResult,
  type ElicitFormParams,
  type Era,
  type GetPromptResult,
  type Implementation,
  type ListPromptsResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ListToolsResult,
  type LoggingLevel,
  type LogMessage,
  type Outcome,
  type Progress,
  type Prompt,
  type ReadResourceResult,
  type Reason,
  type DiscoverResult,
  type Resource,
  type ResourceTemplate,
  type Root,
  RpcError,
  type ServerCapabilities,
  type SubscriptionFilter,
  type Tool,
  TransportError,
  Violation
} from "@effective-mcp/protocol"
