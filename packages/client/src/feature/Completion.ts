import type { CompleteResult, Prompt, ResourceTemplate } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { CallError } from "../ClientError.ts"
import type { RequestOptions, SessionLike } from "../Session.ts"

/** What has arguments to complete: a prompt, or a template of resources; as listed, or by name and template. */
export type Ref =
  | Pick<Prompt, "name">
  | Pick<ResourceTemplate, "uriTemplate">
  | { readonly prompt: string }
  | { readonly template: string }

const refOf = (ref: Ref) => {
  if ("uriTemplate" in ref) return { type: "ref/resource", uri: ref.uriTemplate } as const
  if ("template" in ref) return { type: "ref/resource", uri: ref.template } as const
  return { type: "ref/prompt", name: "prompt" in ref ? ref.prompt : ref.name } as const
}

export interface CompleteOptions extends RequestOptions {
  /** What is known of the other arguments. A server of 2025-03-26 or before is not told. */
  readonly known?: { readonly [name: string]: string } | undefined
}

/**
 * Asks what an argument of a prompt or a template may be, as far as it is typed: at most 100 values, the likeliest first.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export const complete = (
  session: SessionLike,
  ref: Ref,
  argument: { readonly name: string; readonly value: string },
  { known, ...options }: CompleteOptions = {}
): Effect.Effect<CompleteResult["completion"], CallError> =>
  Effect.map(
    session.request(
      "completion/complete",
      { ref: refOf(ref), argument, ...(known === undefined ? undefined : { context: { arguments: known } }) },
      options
    ),
    ({ completion }) => completion
  )
