import {
  type Annotations,
  type CacheHints,
  type Icon,
  type JsonRpc,
  quote,
  type ReadResourceResult,
  type Resource as Description
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Call } from "./Call.ts"
import { type Contents, toResult } from "./contents.ts"
import type { Failure } from "./Core.ts"
import { requireHints } from "./hints.ts"
import { InputRequired } from "./InputRequired.ts"
import { answered } from "./outcome.ts"
import { ResourceNotFound } from "./ResourceNotFound.ts"

/**
 * Something that clients may read, under a URI of its own: one of a server's features. `R` is what it needs beside the
 * call itself.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
export interface Resource<out R = never> {
  readonly kind: "resource"
  readonly uri: string
  readonly name: string
  readonly describe: () => Description
  readonly read: Effect.Effect<ReadResourceResult | InputRequired, Failure, R | Call>
}

/** What resources and templates of them say of themselves. */
export interface Described {
  /** Default the last segment of the URI. */
  readonly name?: string
  readonly title?: string
  readonly description?: string
  /** Of all that is read here and does not say its own. */
  readonly mimeType?: string
  readonly annotations?: Annotations
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonRpc.JsonObject
  /** How long what is read may be kept, and by whom; before what the server says of all its resources. */
  readonly cache?: CacheHints
}

export interface Spec<R> extends Described {
  /** In bytes, before any encoding. */
  readonly size?: number
  /**
   * Reads it. A `ResourceNotFound` says that there is none, an `RpcError` is the answer as it stands; any other failure
   * is logged, and the client is only told that there was one. Besides, it may give back the questions of `Ask.required`.
   */
  readonly read: Effect.Effect<Contents | InputRequired, unknown, R>
}

/** A name for what has none: the last part of its URI that says something. */
export const nameOf = (uri: string): string => uri.split(/[/?#]/).findLast((part) => part !== "") ?? uri

/** What reading gave, as the result of the request. */
export const reading = <R>(
  uri: string,
  { cache, mimeType }: Described,
  read: Effect.Effect<Contents | InputRequired, unknown, R>
): Effect.Effect<ReadResourceResult | InputRequired, Failure, R> =>
  Effect.flatMap(
    answered(
      `The resource ${quote(uri)}`,
      Effect.map(read, (contents) =>
        contents instanceof InputRequired ? contents : toResult({ uri, mimeType }, contents)
      )
    ),
    (result): Effect.Effect<ReadResourceResult | InputRequired, Failure> => {
      if (result instanceof InputRequired) return Effect.succeed(result)
      if (result.contents.length === 0) return Effect.fail(new ResourceNotFound({ uri }))
      return Effect.succeed(cache === undefined ? result : { ...cache, ...result })
    }
  )

/**
 * Makes a resource with a fixed URI. A URI that is none is a mistake of the author: it throws.
 *
 * ```ts
 * import { Resource } from "@effective-mcp/server"
 * import { Effect } from "effect"
 *
 * const motd = Resource.make("motd://today", {
 *   description: "The message of the day",
 *   mimeType: "text/plain",
 *   read: Effect.succeed("Be kind.")
 * })
 * ```
 */
export const make = <R = never>(uri: string, spec: Spec<R>): Resource<Exclude<R, Call>> => {
  const { cache, name = nameOf(uri), read, ...rest } = spec
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/.test(uri)) throw new Error(`not a URI: ${JSON.stringify(uri)}`)
  if (!Effect.isEffect(read)) throw new Error(`read of the resource ${uri} is no Effect`)
  requireHints(`cache of the resource ${uri}`, cache)
  return {
    kind: "resource",
    uri,
    name,
    describe: () => ({ uri, name, ...rest }),
    read: reading(uri, spec, read) as Effect.Effect<
      ReadResourceResult | InputRequired,
      Failure,
      Exclude<R, Call> | Call
    > // cast: R without the call, and the call
  }
}
