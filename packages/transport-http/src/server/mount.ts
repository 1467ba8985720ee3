import { type Mounted, mount as mountHandler } from "@effective-mcp/http/mount"
import type { PrincipalService } from "@effective-mcp/protocol"
import { type Given, type Hosting, make, type Verified } from "./HttpServer.ts"
import type { Options } from "./Options.ts"

export type { Mounted } from "@effective-mcp/http/mount"

/**
 * Serves a host wherever functions are called, without Effect around it; the framework chooses the path. Where a layer has
 * something to give, such as the keys of `RequestState`, give it to `HttpServer.make` and mount that with
 * `@effective-mcp/http/mount`.
 */
export const mount = <P extends PrincipalService = never>(
  hosting: Hosting<Given<P>, Verified<P>>,
  options: Options<P> = {}
): Mounted => mountHandler(make(hosting, options))
