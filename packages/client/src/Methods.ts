import type { JsonRpc, Methods as Own } from "@effective-mcp/protocol"

/** A method of an extension, which is named by its id. */
export interface ExtensionParams {
  readonly extension: string
  readonly method: string
  readonly params: JsonRpc.JsonObject
}

/** What a client can ask: the protocol's methods, and any method of an extension, whose own name is among its params. */
export interface Methods extends Own {
  readonly "extension/call": { readonly params: ExtensionParams; readonly result: JsonRpc.JsonObject }
}

export type Method = keyof Methods

/** The method as a wire has it. */
export const nameOf = (method: Method, params: Methods[Method]["params"]): string =>
  method === "extension/call" ? (params as ExtensionParams).method : method // cast: its own
