import {
  type Codec,
  Invalid,
  JsonRpc,
  Meta,
  type Method,
  type Methods,
  type Revision,
  RpcError,
  type ServerCapabilities,
  Violation,
  type Warn
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { type CallError, NotOffered } from "../ClientError.ts"
import type { RequestOptions, Session } from "../Session.ts"
import { requireTimes } from "../times.ts"
import type { Link } from "./Link.ts"

/** What the two eras do differently once the server is known. */
export interface Manner {
  readonly revision: Revision
  /** What every request carries in its `_meta`, beside its progress token. */
  readonly meta: JsonRpc.JsonObject
  /** What asks whether the server still answers, and how its answer is read. */
  readonly ping: { readonly method: string; readonly read: (result: JsonRpc.JsonObject) => unknown }
  /** Why a result is none that this era knows, or undefined. */
  readonly refuse: (result: JsonRpc.JsonObject) => string | undefined
}

export interface Description extends Pick<Session, "server" | "instructions"> {
  readonly capabilities: ServerCapabilities
}

/** The `_meta` of a request: the caller's keys, then the era's, which always win. */
const metaOf = (manner: Manner, own: JsonRpc.JsonObject | undefined, id: JsonRpc.RequestId): JsonRpc.JsonObject => {
  if (own === undefined) return { ...manner.meta, progressToken: id }
  const kept = Object.entries(own).filter(([key]) => !Meta.protectedKeys.has(key))
  return { ...Object.fromEntries(kept), ...manner.meta, progressToken: id }
}

/** Sends one request as the era says, and reads its result once the era has accepted it. */
export const exchange = <A>(
  link: Link,
  manner: Manner,
  method: string,
  params: JsonRpc.JsonObject,
  options: RequestOptions,
  read: (result: JsonRpc.JsonObject, warn: Warn) => A | Invalid
): Effect.Effect<A, CallError> =>
  Effect.flatMap(
    link.call(method, (id) => ({ ...params, _meta: metaOf(manner, options.meta, id) }), options),
    (response): Effect.Effect<A, CallError> => {
      if (!JsonRpc.isSuccess(response)) return Effect.fail(RpcError.fromObject(response.error))
      const refused = manner.refuse(response.result)
      let left: string | undefined
      const warn: Warn = (detail) => {
        left = left === undefined ? detail : `${left}; ${detail}`
      }
      const result = refused === undefined ? read(response.result, warn) : new Invalid(refused)
      if (result instanceof Invalid) {
        return Effect.fail(new Violation({ revision: manner.revision.version, method, detail: result.detail }))
      }
      return left === undefined
        ? Effect.succeed(result)
        : Effect.as(Effect.logWarning(`Left out of the answer to ${method}: ${left}`), result)
    }
  )

/** Takes a result as it is. */
export const asItIs = (result: JsonRpc.JsonObject): JsonRpc.JsonObject => result

/** A session but for what each era does in a way of its own. */
export type Asking = Omit<Session, "watch" | "hub">

/** A session in one era's manner: features work on it without asking which. */
export const make = (link: Link, manner: Manner, description: Description): Asking => {
  const { era, methods, version } = manner.revision
  return {
    ...description,
    era,
    revision: version,
    ping: (options = {}) => {
      requireTimes(options)
      return Effect.asVoid(exchange(link, manner, manner.ping.method, {}, options, manner.ping.read))
    },
    request: <M extends Method>(method: M, params: Methods[M]["params"], options: RequestOptions = {}) => {
      requireTimes(options)
      const codec: Codec<Methods[M]["params"], Methods[M]["result"]> | undefined = methods[method]
      if (codec === undefined) return Effect.fail(new NotOffered({ capability: method }))
      return exchange(link, manner, method, codec.encodeParams(params), options, codec.decodeResult)
    }
  }
}
