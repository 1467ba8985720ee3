export * as Ask from "./Ask.ts"
export { AskError, type AskReason } from "./AskError.ts"
export { Call, type CallService } from "./Call.ts"
export type { Feature } from "./Feature.ts"
export { InputRequired } from "./InputRequired.ts"
export * as RequestState from "./RequestState.ts"
export * as Server from "./Server.ts"
export * as Tool from "./Tool.ts"
export { ToolError } from "./ToolError.ts"
export type {
  CallToolResult,
  Content,
  Era,
  Host,
  Icon,
  Implementation,
  ServerCapabilities,
  ToolAnnotations
} from "@effective-mcp/protocol"
