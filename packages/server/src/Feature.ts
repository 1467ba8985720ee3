import type { Tool } from "./Tool.ts"

/** One thing that a server offers. */
export type Feature<R = never> = Tool<R>

/** What features need beside the call itself. */
export type Needs<F> = F extends Feature<infer R> ? R : never
