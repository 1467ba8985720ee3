import type { JsonObject } from "../JsonRpc.ts"

/**
 * What a client can be asked; as it declares it, members of other revisions and extensions included.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#clientcapabilities
 */
export interface ClientCapabilities {
  readonly roots?: { readonly listChanged?: boolean }
  readonly sampling?: { readonly context?: JsonObject; readonly tools?: JsonObject }
  readonly elicitation?: { readonly form?: JsonObject; readonly url?: JsonObject }
  readonly experimental?: { readonly [name: string]: JsonObject }
  readonly extensions?: { readonly [name: string]: JsonObject }
  readonly [other: string]: unknown
}

/**
 * What a server offers; members of other revisions included.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#servercapabilities
 */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean }
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean }
  readonly prompts?: { readonly listChanged?: boolean }
  readonly completions?: JsonObject
  readonly logging?: JsonObject
  readonly experimental?: { readonly [name: string]: JsonObject }
  readonly extensions?: { readonly [name: string]: JsonObject }
  readonly [other: string]: unknown
}
