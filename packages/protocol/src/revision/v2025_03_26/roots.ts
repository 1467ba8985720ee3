/** Unchanged since 2024-11-05. @see https://modelcontextprotocol.io/specification/2025-03-26/client/roots */
export { ListRootsRequest, ListRootsResult, Root, RootsListChangedNotification } from "../v2024_11_05/roots.ts"
