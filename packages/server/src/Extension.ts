import { ErrorCode, Extension as Rules, JsonRpc, quote, RpcError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { Call } from "./Call.ts"
import type { Failure } from "./Core.ts"
import { type Output, reader, refuseUnknown } from "./Input.ts"
import { answered } from "./outcome.ts"

/** What an extension's method answers; a `resultType` of its own is kept where results have one. */
export type Result = JsonRpc.JsonObject

/** One method of an extension, as a server runs it. */
export interface ExtensionMethod<out R = never> {
  readonly extension: string
  readonly run: (params: JsonRpc.JsonObject) => Effect.Effect<Result, Failure, R | Call>
}

/**
 * What the protocol does not have: one of a server's features, named among its capabilities. `R` is what its methods
 * need beside the call itself.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation
 */
export interface Extension<out R = never> {
  readonly kind: "extension"
  /** Its id: a reverse domain name, a slash, and a name. */
  readonly name: string
  readonly settings: JsonRpc.JsonObject
  readonly methods: { readonly [method: string]: ExtensionMethod<R> }
}

/** A method whose params have not been described. */
export type Handler<R = never> = (params: JsonRpc.JsonObject) => Effect.Effect<Result, unknown, R>

/** A method whose params have been described; see `method`. */
export interface Method<R = never> {
  readonly params: Schema.Struct.Fields
  readonly run: Handler<R>
}

export interface Spec<M> {
  /** What the capabilities say of it. Default `{}`. */
  readonly settings?: JsonRpc.JsonObject
  /** Whether a client has to declare it, too: one that does not is told so when it calls a method. Default false. */
  readonly isRequired?: boolean
  readonly methods?: M & Methods
}

type Methods = { readonly [method: string]: Handler<unknown> | Method<unknown> }

type NeedsOf<M> = {
  [K in keyof M]: M[K] extends (...args: never) => Effect.Effect<infer _A, infer _E, infer R>
    ? R
    : M[K] extends Method<infer R>
      ? R
      : never
}[keyof M]

/**
 * Describes the params of a method with Effect Schema fields: those that do not fit are `-32602`, and `run` gets them
 * decoded.
 */
export const method = <F extends Schema.Struct.Fields, R = never>(spec: {
  readonly params: F
  readonly run: (params: Output<F>) => Effect.Effect<Result, unknown, R>
}): Method<R | Schema.Struct.DecodingServices<F>> =>
  spec as { readonly params: F; readonly run: unknown } as Method<never> // cast: what is decoded is what `run` takes, and its needs are in the type

const undeclared = (id: string): RpcError =>
  new RpcError({
    code: ErrorCode.MissingRequiredClientCapability,
    message: `The client has to declare the extension ${quote(id)}`,
    data: { requiredCapabilities: { extensions: { [id]: {} } } }
  })

const paramsOf = ({ _meta, ...rest }: JsonRpc.JsonObject): JsonRpc.JsonObject => rest

const read = (
  name: string,
  method: Handler<unknown> | Method<unknown>
): ((params: JsonRpc.JsonObject) => Effect.Effect<Result, Failure, unknown>) => {
  const run = (handler: Handler<unknown>, params: JsonRpc.JsonObject) =>
    answered(
      `The method ${quote(name)}`,
      Effect.flatMap(
        Effect.suspend(() => handler(params)),
        (result) =>
          JsonRpc.isObject(result) ? Effect.succeed(result) : Effect.die(new Error("it gave back no result"))
      )
    )
  if (typeof method === "function") return (params) => run(method, paramsOf(params))
  refuseUnknown(name, "params", method.params)
  let made: ReturnType<typeof reader> | undefined
  return (params) => {
    const reading = (made ??= reader(method.params, "input"))
    return Effect.matchEffect(reading.decode(paramsOf(params)), {
      onFailure: (failure) => Effect.fail(RpcError.invalidParams(`Invalid params: ${reading.explain(failure)}`)),
      onSuccess: (decoded) => run(method.run, decoded as JsonRpc.JsonObject) // cast: `run` takes what its fields decode to
    })
  }
}

/**
 * Makes an extension. An id of another form, settings that are no object, and a method that the protocol has itself are
 * mistakes of the author: it throws.
 *
 * ```ts
 * import { Extension } from "@effective-mcp/server"
 * import { Effect, Schema } from "effect"
 *
 * const weather = Extension.make("com.example/weather", {
 *   settings: { units: ["celsius"] },
 *   methods: {
 *     "weather/now": Extension.method({
 *       params: { city: Schema.String },
 *       run: ({ city }) => Effect.succeed({ city, celsius: 21 })
 *     })
 *   }
 * })
 * ```
 */
export const make = <const M extends Methods = {}>(
  id: string,
  spec: Spec<M> = {}
): Extension<Exclude<NeedsOf<M>, Call>> => {
  const { isRequired = false, methods = {}, settings = {} } = spec
  Rules.requireId(id)
  Rules.requireSettings(id, settings)
  const all: { [method: string]: ExtensionMethod<unknown> } = Object.create(null)
  for (const [name, method] of Object.entries<Methods[string]>(methods)) {
    Rules.requireMethod(id, name)
    const run = read(name, method)
    const declares = Effect.flatMap(Call, ({ clientCapabilities: { extensions } }) =>
      JsonRpc.isObject(extensions) && Object.hasOwn(extensions, id) ? Effect.void : Effect.fail(undeclared(id))
    )
    all[name] = {
      extension: id,
      run: (params) => (isRequired ? Effect.andThen(declares, run(params)) : run(params))
    }
  }
  return { kind: "extension", name: id, settings, methods: all } as Extension<never> // cast: what its methods need is in the type
}
