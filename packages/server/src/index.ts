export * as Ask from "./Ask.ts"
export { AskError, type AskReason } from "./AskError.ts"
export { type AskOptions, Call, type CallService } from "./Call.ts"
export * as Changes from "./Changes.ts"
export type { Completer, Completers, Completion } from "./Completer.ts"
export type { Contents, Part } from "./contents.ts"
export * as Extension from "./Extension.ts"
export type { Feature } from "./Feature.ts"
export type { Caching } from "./hints.ts"
export { InputRequired } from "./InputRequired.ts"
export { InvalidArguments } from "./InvalidArguments.ts"
export type { Middleware, Operation } from "./Middleware.ts"
export * as Prompt from "./Prompt.ts"
export * as RequestState from "./RequestState.ts"
export * as Resource from "./Resource.ts"
export { ResourceNotFound } from "./ResourceNotFound.ts"
export * as ResourceTemplate from "./ResourceTemplate.ts"
export * as Server from "./Server.ts"
export * as Tool from "./Tool.ts"
export { ToolError } from "./ToolError.ts"
export { RpcError } from "@effective-mcp/protocol"
export type {
  Annotations,
  CacheHints,
  CallToolResult,
  Content,
  Era,
  GetPromptResult,
  Host,
  Icon,
  Implementation,
  LoggingLevel,
  PromptMessage,
  ReadResourceResult,
  ServerCapabilities,
  ToolAnnotations
} from "@effective-mcp/protocol"
