import type { JsonObject } from "../JsonRpc.ts"
import type { AudioContent, Content, ImageContent, TextContent } from "./content.ts"
import type { Tool } from "./tools.ts"

/**
 * That the model wants a tool called; `id` names the call in the result that answers it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#sampling-with-tools
 */
export interface ToolUseContent {
  readonly type: "tool_use"
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  readonly _meta?: JsonObject
}

/**
 * What the call `toolUseId` gave.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#tool-result-messages
 */
export interface ToolResultContent {
  readonly type: "tool_result"
  readonly toolUseId: string
  readonly content: ReadonlyArray<Content>
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: JsonObject
}

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent

/** @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#messages */
export interface SamplingMessage {
  readonly role: "user" | "assistant"
  readonly content: SamplingContent | ReadonlyArray<SamplingContent>
  readonly _meta?: JsonObject
}

/**
 * What matters in the choice of a model, each from 0 to 1; `hints` are parts of names, the best first.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#model-preferences
 */
export interface ModelPreferences {
  readonly hints?: ReadonlyArray<{ readonly name?: string }>
  readonly costPriority?: number
  readonly speedPriority?: number
  readonly intelligencePriority?: number
}

/**
 * What a server has the client's model asked.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#creating-messages
 */
export interface CreateMessageParams {
  readonly messages: ReadonlyArray<SamplingMessage>
  readonly maxTokens: number
  readonly modelPreferences?: ModelPreferences
  readonly systemPrompt?: string
  readonly includeContext?: "none" | "thisServer" | "allServers"
  readonly temperature?: number
  readonly stopSequences?: ReadonlyArray<string>
  readonly metadata?: JsonObject
  readonly tools?: ReadonlyArray<Tool>
  readonly toolChoice?: { readonly mode?: "auto" | "none" | "required" }
}

/**
 * `stopReason` is `endTurn`, `stopSequence`, `maxTokens`, `toolUse` or a word of the provider's own.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#result-fields
 */
export interface CreateMessageResult extends SamplingMessage {
  readonly model: string
  readonly stopReason?: string
}
