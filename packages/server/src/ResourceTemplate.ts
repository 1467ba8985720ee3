import { type ReadResourceResult, type ResourceTemplate as Description, UriTemplate } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Call } from "./Call.ts"
import type { CompleterNeeds, Completers, CompletersFor } from "./Completer.ts"
import { isContained } from "./contained.ts"
import type { Contents } from "./contents.ts"
import type { Failure } from "./Core.ts"
import { requireHints } from "./hints.ts"
import { reader, refuseUnknown } from "./Input.ts"
import type { InputRequired } from "./InputRequired.ts"
import { type Described, nameOf, reading } from "./Resource.ts"
import { ResourceNotFound } from "./ResourceNotFound.ts"
import type { Variables } from "./variables.ts"

export { isContained } from "./contained.ts"

/**
 * Many resources in one, by an RFC 6570 template of their URIs: one of a server's features. `R` is what it needs beside
 * the call itself.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
 */
export interface ResourceTemplate<out R = never> {
  readonly kind: "template"
  readonly template: UriTemplate.UriTemplate
  readonly name: string
  readonly complete: Completers<R>
  readonly describe: () => Description
  /** Reads a resource of the template; undefined when the URI is none. */
  readonly read: (uri: string) => Effect.Effect<ReadResourceResult | InputRequired, Failure, R | Call> | undefined
}

/** Effect Schema fields that read a variable each: they decode what the URI says of it. */
export type Fields = Schema.Struct.Fields

/** The variables of a template, decoded where there are fields. */
export type Values<T extends string, F extends Fields> = [F] extends [never] ? Variables<T> : Schema.Struct.Type<F>

export interface Spec<T extends string, F extends Fields, C, R> extends Described {
  /**
   * What decodes the variables, each by its name; without it they are texts, and lists or maps where the template says
   * `*`. A URI whose variables do not fit names no resource.
   */
  readonly variables?: F & { readonly [K in Exclude<keyof F, keyof Variables<T>>]: never }
  /** Lets variables hold what leads out of a folder when it is taken for a path. Default false: such a URI names no resource. */
  readonly allowTraversal?: boolean
  /** Completes a variable while it is typed. */
  readonly complete?: CompletersFor<C, Extract<keyof Variables<T>, string>>
  /** Reads a resource. It fails as a fixed resource does; with `ResourceNotFound` where there is none of that URI. */
  readonly read: (variables: NoInfer<Values<T, F>>, uri: string) => Effect.Effect<Contents | InputRequired, unknown, R>
}

const pieces = (value: UriTemplate.Matched[string]): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : "entries" in value && value instanceof Map
      ? [...value].flat()
      : [...(value as ReadonlyArray<string>)]

/**
 * Makes a template of resources. A template that is malformed, or names for what it has no variables, are mistakes of
 * the author: it throws.
 *
 * ```ts
 * import { ResourceNotFound, ResourceTemplate } from "@effective-mcp/server"
 * import { Effect, Schema } from "effect"
 *
 * const users: Record<number, string> = { 1: "Ada" }
 * const user = ResourceTemplate.make("users://{id}/profile", {
 *   variables: { id: Schema.FiniteFromString },
 *   read: ({ id }, uri) => {
 *     const name = users[id]
 *     return name === undefined ? Effect.fail(new ResourceNotFound({ uri })) : Effect.succeed(name)
 *   }
 * })
 * ```
 */
export const make = <const T extends string, F extends Fields = never, C extends Completers<unknown> = {}, R = never>(
  text: T,
  spec: Spec<T, F, C, R>
): ResourceTemplate<
  Exclude<R | ([F] extends [never] ? never : Schema.Struct.DecodingServices<F>) | CompleterNeeds<C>, Call>
> => {
  const { allowTraversal = false, cache, complete = {}, name = nameOf(text), read, variables, ...rest } = spec
  const template = UriTemplate.make(text)
  refuseUnknown(text, "variables", variables)
  for (const [place, names] of Object.entries({ variables, complete })) {
    for (const key of Object.keys(names ?? {})) {
      if (!template.variables.includes(key))
        throw new Error(`${place}.${key}: the template ${text} has no such variable`)
    }
  }
  requireHints(`cache of the template ${text}`, cache)
  let values: ReturnType<typeof reader> | undefined
  const decode = (matched: UriTemplate.Matched, uri: string): Effect.Effect<unknown, ResourceNotFound, unknown> =>
    variables === undefined
      ? Effect.succeed(matched)
      : Effect.mapError(
          (values ??= reader(variables, "input")).decode({ ...matched }),
          () => new ResourceNotFound({ uri })
        )
  const start = (decoded: unknown, uri: string): Effect.Effect<Contents | InputRequired, unknown, unknown> => {
    const running: unknown = read(decoded as Values<T, F>, uri) // cast: it was just decoded by the fields, or is as the template says
    return Effect.isEffect(running)
      ? (running as Effect.Effect<Contents | InputRequired, unknown, unknown>) // cast: it is the effect that `read` has made
      : Effect.die(new Error(`read of the template ${text} gave back no Effect; wrap a promise in Effect.promise`))
  }
  return {
    kind: "template",
    template,
    name,
    complete,
    describe: () => ({ uriTemplate: text, name, ...rest }),
    read: (uri) => {
      const matched = UriTemplate.match(template, uri)
      if (matched === undefined) return undefined
      if (!allowTraversal && !Object.values(matched).flatMap(pieces).every(isContained)) return undefined
      return Effect.flatMap(decode(matched, uri), (decoded) =>
        reading(
          uri,
          spec,
          Effect.suspend(() => start(decoded, uri))
        )
      ) as Effect.Effect<ReadResourceResult | InputRequired, Failure, never> // cast: what the fields and `read` need is in the type
    }
  } as ResourceTemplate<never> // cast: what its completers need is in the type
}
