import { NotificationParams, RequestParams } from "./basic.ts"
import { bareNotification, bareRequest } from "./jsonrpc.ts"

export { ListRootsResult, Root } from "../v2025_06_18/roots.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#listrootsrequest */
export const ListRootsRequest = bareRequest("roots/list", RequestParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#rootslistchangednotification */
export const RootsListChangedNotification = bareNotification("notifications/roots/list_changed", NotificationParams)
