export { Call, type CallService } from "./Call.ts"
export type { Feature } from "./Feature.ts"
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
