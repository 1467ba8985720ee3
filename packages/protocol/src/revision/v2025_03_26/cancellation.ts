/** Unchanged since 2024-11-05. @see https://modelcontextprotocol.io/specification/2025-03-26/basic/utilities/cancellation */
export { CancelledNotification } from "../v2024_11_05/cancellation.ts"
