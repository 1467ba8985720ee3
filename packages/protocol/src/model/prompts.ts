import type { JsonObject } from "../JsonRpc.ts"
import type { CacheHints } from "./caching.ts"
import type { Content } from "./content.ts"
import type { Icon } from "./implementation.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#promptargument */
export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

/**
 * A text that a server has ready, with gaps to fill.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#prompt
 */
export interface Prompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: ReadonlyArray<PromptArgument>
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonObject
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#listing-prompts */
export interface ListPromptsResult extends CacheHints {
  readonly prompts: ReadonlyArray<Prompt>
  readonly nextCursor?: string
  readonly _meta?: JsonObject
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt */
export interface GetPromptParams {
  readonly name: string
  readonly arguments?: { readonly [name: string]: string }
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#promptmessage */
export interface PromptMessage {
  readonly role: "user" | "assistant"
  readonly content: Content
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt */
export interface GetPromptResult {
  readonly description?: string
  readonly messages: ReadonlyArray<PromptMessage>
  readonly _meta?: JsonObject
}
