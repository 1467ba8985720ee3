/** Unchanged since 2024-11-05. @see https://modelcontextprotocol.io/specification/2025-06-18/server/utilities/pagination */
export { Cursor, page, pageParams, pageRequest, PaginatedRequest, PaginatedResult } from "../v2024_11_05/pagination.ts"
