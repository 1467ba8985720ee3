/** Unchanged since 2024-11-05. @see https://modelcontextprotocol.io/specification/2025-03-26/server/utilities/completion */
export { CompleteRequest, CompleteResult, PromptReference, ResourceReference } from "../v2024_11_05/completion.ts"
