/** Unchanged since 2025-03-26. @see https://modelcontextprotocol.io/specification/2025-06-18/basic/utilities/progress */
export { ProgressNotification } from "../v2025_03_26/progress.ts"
