import type { JsonObject } from "../JsonRpc.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#reference-types */
export interface PromptReference {
  readonly type: "ref/prompt"
  readonly name: string
  readonly title?: string
}

/**
 * A resource or a template of resources; `uri` is an RFC 6570 template.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#reference-types
 */
export interface ResourceTemplateReference {
  readonly type: "ref/resource"
  readonly uri: string
}

/**
 * What is to be completed: one argument of a prompt or a template, as far as it is typed; `context` holds what is known
 * of the others.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export interface CompleteParams {
  readonly ref: PromptReference | ResourceTemplateReference
  readonly argument: { readonly name: string; readonly value: string }
  readonly context?: { readonly arguments?: { readonly [name: string]: string } }
}

/**
 * At most 100 values, the likeliest first; `total` counts those that are not said, too.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#completion-results
 */
export interface CompleteResult {
  readonly completion: {
    readonly values: ReadonlyArray<string>
    readonly total?: number
    readonly hasMore?: boolean
  }
  readonly _meta?: JsonObject
}
