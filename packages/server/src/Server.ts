import type { Era, Host, Implementation, ServerCapabilities } from "@effective-mcp/protocol"
import { limits } from "@effective-mcp/protocol"
import type { Core } from "./Core.ts"
import { host } from "./era/host.ts"
import type { Feature, Needs } from "./Feature.ts"
import { chapter as tools } from "./feature/Tools.ts"

/** A server as a value: transports serve it. `R` is what its features need. */
export interface Server<out R = never> extends Host<R> {
  readonly info: Implementation
  readonly capabilities: ServerCapabilities
}

export interface Options {
  /** How to use the server, for the model. */
  readonly instructions?: string | undefined
  /** The eras it speaks. Default both. */
  readonly eras?: readonly [Era, ...ReadonlyArray<Era>] | undefined
  /** How many entries a page of a list holds. Default 1,000. */
  readonly pageSize?: number | undefined
}

/**
 * Makes a server of its features. Two features of one kind that have the same name are a mistake of the author, and so
 * is a page size that is no count: it throws.
 *
 * @param info who the server says it is, to every client
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server
 */
export const make = <const F extends ReadonlyArray<Feature<unknown>>>(
  info: Implementation,
  features: F,
  { eras = ["modern", "legacy"], instructions, pageSize = limits.pageSize }: Options = {}
): Server<Needs<F[number]>> => {
  const chapters = features.length === 0 ? [] : [tools(features, pageSize)]
  const core: Core<unknown> = {
    info,
    instructions,
    eras,
    capabilities: Object.fromEntries(chapters.flatMap(({ capabilities }) => Object.entries(capabilities))),
    operations: Object.fromEntries(chapters.flatMap(({ operations }) => Object.entries(operations)))
  }
  return { ...host(core), info, capabilities: core.capabilities } as Server<Needs<F[number]>> // cast: the union of its features' needs
}
