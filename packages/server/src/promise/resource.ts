import type { Contents } from "../contents.ts"
import * as Resource from "../Resource.ts"
import * as ResourceTemplate from "../ResourceTemplate.ts"
import type { Variables } from "../variables.ts"
import type { Call } from "./Call.ts"
import { type Completers, completersOf } from "./completers.ts"
import { type Awaitable, running } from "./running.ts"

export interface ResourceSpec extends Resource.Described {
  /** In bytes, before any encoding. */
  readonly size?: number
  /**
   * Reads it. A `ResourceNotFound` that it throws says that there is none, an `RpcError` is the answer as it stands;
   * anything else is logged, and the client is only told that there was a failure.
   */
  readonly read: (call: Call) => Awaitable<Contents>
}

/**
 * Makes a resource with a fixed URI. A URI that is none is a mistake of the author: it throws.
 *
 * ```ts
 * import { resource } from "@effective-mcp/server/promise"
 *
 * export const motd = resource("motd://today", { mimeType: "text/plain", read: async () => "Be kind." })
 * ```
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
export const resource = (uri: string, { read, ...rest }: ResourceSpec): Resource.Resource =>
  Resource.make(uri, { ...rest, read: running(read) })

export interface ResourceTemplateSpec<T extends string> extends Resource.Described {
  /** Lets variables hold what leads out of a folder when it is taken for a path. Default false: such a URI names no resource. */
  readonly allowTraversal?: boolean
  /** Completes a variable while it is typed. */
  readonly complete?: Completers<Extract<keyof Variables<T>, string>>
  /** Reads a resource. It fails as a fixed resource does; with `ResourceNotFound` where there is none of that URI. */
  readonly read: (variables: Variables<T>, call: Call, uri: string) => Awaitable<Contents>
}

/**
 * Makes a template of resources. A template that is malformed, or completes what are none of its variables, is a mistake
 * of the author: it throws.
 *
 * ```ts
 * import { ResourceNotFound, resourceTemplate } from "@effective-mcp/server/promise"
 *
 * const users = new Map([["1", "Ada"]])
 * export const user = resourceTemplate("users://{id}/profile", {
 *   read: async ({ id }, _, uri) => {
 *     const name = users.get(id)
 *     if (name === undefined) throw new ResourceNotFound({ uri })
 *     return name
 *   }
 * })
 * ```
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
 */
export const resourceTemplate = <const T extends string>(
  template: T,
  { complete, read, ...rest }: ResourceTemplateSpec<T>
): ResourceTemplate.ResourceTemplate => {
  const spec = {
    ...rest,
    complete: completersOf(complete as Completers), // cast: a completer is for a variable by its name
    read: (variables: Variables<T>, uri: string) => running((call) => read(variables, call, uri))
  }
  return ResourceTemplate.make(template as string, spec as never) // cast: its types are those of `read`
}
