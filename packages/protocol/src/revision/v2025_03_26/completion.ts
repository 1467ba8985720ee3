export { CompleteRequest, CompleteResult, PromptReference, ResourceReference } from "../v2024_11_05/completion.ts"
