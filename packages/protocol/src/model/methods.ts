import type { CallToolParams, CallToolResult, ListToolsParams, ListToolsResult } from "./tools.ts"

/** Every request that a feature makes or answers, in neutral terms: what each era and revision carries in its own way. */
export interface Methods {
  readonly "tools/list": { readonly params: ListToolsParams; readonly result: ListToolsResult }
  readonly "tools/call": { readonly params: CallToolParams; readonly result: CallToolResult }
}

export type Method = keyof Methods
