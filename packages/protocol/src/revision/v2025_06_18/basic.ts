export {
  EmptyResult,
  notificationParams,
  ProgressToken,
  RequestId,
  requestParams,
  Result
} from "../v2024_11_05/basic.ts"
