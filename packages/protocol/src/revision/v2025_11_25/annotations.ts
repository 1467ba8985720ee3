/** Unchanged since 2025-06-18. @see https://modelcontextprotocol.io/specification/2025-11-25/schema#annotations */
export { Annotations, BaseMetadata, Role } from "../v2025_06_18/annotations.ts"
