export {
  JSONRPCError,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  Notification,
  Request
} from "../v2024_11_05/jsonrpc.ts"
