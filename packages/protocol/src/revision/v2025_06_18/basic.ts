/** Unchanged since 2024-11-05. @see https://modelcontextprotocol.io/specification/2025-06-18/basic */
export {
  EmptyResult,
  notificationParams,
  ProgressToken,
  RequestId,
  requestParams,
  Result
} from "../v2024_11_05/basic.ts"
