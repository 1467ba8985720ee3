export { LoggingLevel, LoggingMessageNotification, SetLevelRequest } from "../v2024_11_05/logging.ts"
