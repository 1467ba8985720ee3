export * as Answers from "./Answers.ts"
export * as Client from "./Client.ts"
export { type CallError, type ConnectError, EndlessList, NoCommonRevision, NotOffered } from "./ClientError.ts"
export { bringsInput, resume, roundOf, type Wait } from "./InputLoop.ts"
export { type InputReason, InputRequired, type InputResponses, type Round } from "./InputRequired.ts"
export type { RequestOptions, Session } from "./Session.ts"
export * as Tools from "./feature/Tools.ts"
export {
  type CallToolResult,
  type Connection,
  type Content,
  type Era,
  type Implementation,
  type ListToolsResult,
  type Outcome,
  type Progress,
  type Reason,
  RpcError,
  type ServerCapabilities,
  type Tool,
  TransportError,
  Violation
} from "@effective-mcp/protocol"
