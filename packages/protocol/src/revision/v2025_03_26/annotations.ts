/** @see https://modelcontextprotocol.io/specification/2025-03-26/server/resources#data-types */
export { annotations as Annotations, Role } from "../v2024_11_05/annotations.ts"
