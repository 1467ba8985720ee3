/** Unchanged since 2024-11-05. @see https://modelcontextprotocol.io/specification/2025-11-25/basic */
export {
  EmptyResult,
  notificationParams as NotificationParams,
  ProgressToken,
  RequestId,
  requestParams as RequestParams,
  Result
} from "../v2024_11_05/basic.ts"
