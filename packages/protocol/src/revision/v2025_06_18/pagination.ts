export { Cursor, page, pageParams, pageRequest, PaginatedRequest, PaginatedResult } from "../v2024_11_05/pagination.ts"
