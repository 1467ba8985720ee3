/** Unchanged since 2024-11-05. @see https://modelcontextprotocol.io/specification/2025-06-18/basic#messages */
export {
  JSONRPCError,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  Notification,
  Request
} from "../v2024_11_05/jsonrpc.ts"
