import type { Host } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Core } from "../Core.ts"
import { legacy, notLegacy } from "./Legacy.ts"
import { modern, notModern } from "./Modern.ts"

/** A server as transports see it, in the eras that it speaks. */
export const host = <R>(core: Core<R>): Host<R> => ({
  eras: core.eras,
  modern: core.eras.includes("modern") ? modern(core) : notModern,
  converse: (from) => Effect.sync(() => (core.eras.includes("legacy") ? legacy(core, from) : notLegacy(core)))
})
