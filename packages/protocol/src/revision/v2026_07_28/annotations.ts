/** Unchanged since 2025-11-25. @see https://modelcontextprotocol.io/specification/2026-07-28/schema#annotations */
export { Annotations, BaseMetadata, Role } from "../v2025_11_25/annotations.ts"
