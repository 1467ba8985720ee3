import type { Extension } from "./Extension.ts"
import type { Prompt } from "./Prompt.ts"
import type { Resource } from "./Resource.ts"
import type { ResourceTemplate } from "./ResourceTemplate.ts"
import type { Tool } from "./Tool.ts"

/** One thing that a server offers; `kind` tells which. */
export type Feature<R = never> = Tool<R> | Resource<R> | ResourceTemplate<R> | Prompt<R> | Extension<R>

/** What features need beside the call itself. */
export type Needs<F> =
  F extends Tool<infer R>
    ? R
    : F extends Resource<infer R>
      ? R
      : F extends ResourceTemplate<infer R>
        ? R
        : F extends Prompt<infer R>
          ? R
          : F extends Extension<infer R>
            ? R
            : never

/** The features of one kind, in the order in which they were given. */
export const ofKind = <K extends Feature["kind"]>(
  features: ReadonlyArray<Feature<unknown>>,
  kind: K
): ReadonlyArray<Extract<Feature<unknown>, { readonly kind: K }>> =>
  features.filter((feature): feature is Extract<Feature<unknown>, { readonly kind: K }> => feature.kind === kind)
