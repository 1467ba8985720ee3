/** Unchanged since 2025-11-25. @see https://modelcontextprotocol.io/specification/2026-07-28/schema#implementation */
export { Implementation } from "../v2025_11_25/lifecycle.ts"
