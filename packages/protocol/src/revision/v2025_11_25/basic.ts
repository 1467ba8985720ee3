export {
  EmptyResult,
  notificationParams as NotificationParams,
  ProgressToken,
  RequestId,
  requestParams as RequestParams,
  Result
} from "../v2024_11_05/basic.ts"
