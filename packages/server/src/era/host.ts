import type { Host } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Core } from "../Core.ts"
import { legacy, notLegacy } from "./Legacy.ts"
import { modern, notModern } from "./Modern.ts"

/**
 * A server as transports see it, in the eras that it speaks.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions
 */
export const host = <R>(core: Core<R>): Host<R> => ({
  eras: core.eras,
  modern: core.eras.includes("modern") ? modern(core) : notModern,
  converse: (from, life) =>
    core.eras.includes("legacy") ? legacy(core, from, life) : Effect.sync(() => notLegacy(core))
})
