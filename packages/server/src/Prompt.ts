import {
  type Content,
  type GetPromptResult,
  type Icon,
  type JsonRpc,
  type Prompt as Description,
  type PromptArgument,
  type PromptMessage,
  quote
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Call } from "./Call.ts"
import type { CompleterNeeds, Completers, CompletersFor } from "./Completer.ts"
import type { Failure } from "./Core.ts"
import { reader, refuseUnknown } from "./Input.ts"
import { InputRequired } from "./InputRequired.ts"
import { InvalidArguments } from "./InvalidArguments.ts"
import { answered } from "./outcome.ts"

/**
 * A text that a server has ready, with gaps to fill: one of its features. `R` is what it needs beside the call itself.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
export interface Prompt<out R = never> {
  readonly kind: "prompt"
  readonly name: string
  readonly argumentNames: ReadonlyArray<string>
  readonly complete: Completers<R>
  readonly describe: () => Description
  readonly run: (args: {
    readonly [name: string]: string
  }) => Effect.Effect<GetPromptResult | InputRequired, Failure, R | Call>
}

/** Effect Schema fields, each of which reads a text: an argument is nothing else on the wire. */
export type Fields = {
  readonly [name: PropertyKey]: Schema.Constraint & { readonly Encoded: string | undefined }
}

/** What describes the arguments of a prompt: fields that decode them, or a list of them. */
export type Arguments = Fields | ReadonlyArray<PromptArgument>

type Listed<L extends ReadonlyArray<PromptArgument>> = {
  readonly [A in L[number] as A extends { readonly required: true } ? A["name"] : never]: string
} & { readonly [A in L[number] as A extends { readonly required: true } ? never : A["name"]]?: string }

/** What `run` is given. */
export type Values<A extends Arguments> =
  A extends ReadonlyArray<PromptArgument> ? Listed<A> : A extends Fields ? Schema.Struct.Type<A> : never

type NameOf<A extends Arguments> =
  A extends ReadonlyArray<PromptArgument> ? A[number]["name"] : Extract<keyof A, string>

type ServicesOf<A> = A extends Fields ? Schema.Struct.DecodingServices<A> : never

/** What a prompt may give back: a text of the user's, messages, a whole result, or the questions of `Ask.required`. */
export type Answer = string | PromptMessage | ReadonlyArray<PromptMessage> | GetPromptResult | InputRequired

export interface Spec<A extends Arguments, C, R> {
  readonly title?: string
  readonly description?: string
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonRpc.JsonObject
  /** What fills the gaps; there are none without it. */
  readonly arguments?: A
  /** Completes an argument while it is typed. */
  readonly complete?: CompletersFor<C, NameOf<A>>
  /**
   * Makes the messages. An `RpcError` is the answer as it stands; any other failure is logged, and the client is only
   * told that there was one.
   */
  readonly run: (args: NoInfer<Values<A>>) => Effect.Effect<Answer, unknown, R>
}

const message = (role: PromptMessage["role"], said: string | Content): PromptMessage => ({
  role,
  content: typeof said === "string" ? { type: "text", text: said } : said
})

/** Something that the user says. */
export const user = (said: string | Content): PromptMessage => message("user", said)

/** Something that the model says. */
export const assistant = (said: string | Content): PromptMessage => message("assistant", said)

const isMessages = (answer: Answer): answer is ReadonlyArray<PromptMessage> => Array.isArray(answer)

const toResult = (description: string | undefined, answer: Answer): GetPromptResult | InputRequired => {
  if (answer instanceof InputRequired) return answer
  const said = description === undefined ? {} : { description }
  if (typeof answer === "string") return { ...said, messages: [user(answer)] }
  if (isMessages(answer)) return { ...said, messages: answer }
  if (typeof answer !== "object" || answer === null) throw new Error(`it gave back no messages: ${typeof answer}`)
  return "messages" in answer ? { ...said, ...answer } : { ...said, messages: [answer] }
}

const isListed = (args: Arguments): args is ReadonlyArray<PromptArgument> => Array.isArray(args)

type Given = { readonly [name: string]: string }

/** How a prompt's arguments are described and read. */
interface Reading {
  readonly names: ReadonlyArray<string>
  readonly describe: () => ReadonlyArray<PromptArgument>
  readonly decode: (given: Given) => Effect.Effect<unknown, InvalidArguments, unknown>
}

const readList = (list: ReadonlyArray<PromptArgument>): Reading => ({
  names: list.map(({ name }) => name),
  describe: () => list,
  decode: (given) => {
    const missing = list.find(({ name, required }) => required === true && !Object.hasOwn(given, name))
    if (missing !== undefined)
      return Effect.fail(new InvalidArguments({ message: `Missing argument: ${quote(missing.name)}` }))
    const known = list.flatMap(({ name }) => (Object.hasOwn(given, name) ? [[name, given[name]] as const] : []))
    return Effect.succeed(Object.fromEntries(known))
  }
})

const readFields = (fields: Fields): Reading => {
  let made: ReturnType<typeof reader> | undefined
  const read = () => (made ??= reader(fields, "input"))
  const textOf = (value: unknown) => (typeof value === "string" ? value : undefined)
  return {
    names: Object.keys(fields),
    describe: () => {
      const { properties = {}, required = [] } = read().jsonSchema() as {
        readonly properties?: { readonly [name: string]: JsonRpc.JsonObject }
        readonly required?: ReadonlyArray<string>
      } // cast: the JSON Schema of a struct
      return Object.entries(fields).map(([name, field]) => {
        // of a field that decodes a text the annotations are those of what it decodes to
        const annotations = Schema.resolveAnnotations(field)
        const title = annotations?.title ?? textOf(properties[name]?.title)
        const description = annotations?.description ?? textOf(properties[name]?.description)
        return {
          name,
          ...(title === undefined ? undefined : { title }),
          ...(description === undefined ? undefined : { description }),
          required: required.includes(name)
        }
      })
    },
    decode: (given) =>
      Effect.mapError(
        read().decode(given),
        (failure) => new InvalidArguments({ message: `Invalid arguments: ${read().explain(failure)}` })
      )
  }
}

/**
 * Makes a prompt. Arguments of another kind than its type allows, and completers of none of them, are mistakes of the
 * author: it throws.
 *
 * ```ts
 * import { Prompt } from "@effective-mcp/server"
 * import { Effect, Schema } from "effect"
 *
 * const review = Prompt.make("review", {
 *   description: "Asks for a review of some code",
 *   arguments: { code: Schema.String, language: Schema.optionalKey(Schema.String) },
 *   complete: { language: ["python", "rust", "typescript"] },
 *   run: ({ code, language = "some" }) => Effect.succeed(`Please review this ${language} code:\n${code}`)
 * })
 * ```
 */
export const make = <const A extends Arguments = {}, C extends Completers<unknown> = {}, R = never>(
  name: string,
  spec: Spec<A, C, R>
): Prompt<Exclude<R | ServicesOf<A> | CompleterNeeds<C>, Call>> => {
  const { arguments: args = {}, complete = {}, run, ...rest } = spec
  if (!isListed(args)) refuseUnknown(name, "arguments", args)
  const reading = isListed(args) ? readList(args) : readFields(args)
  const repeated = reading.names.find((one, at) => reading.names.indexOf(one) !== at)
  if (repeated !== undefined) throw new Error(`the prompt ${name} has two arguments of one name: ${repeated}`)
  for (const key of Object.keys(complete)) {
    if (!reading.names.includes(key)) throw new Error(`complete.${key}: the prompt ${name} has no such argument`)
  }
  let description: Description | undefined
  const start = (decoded: unknown): Effect.Effect<Answer, unknown, unknown> => {
    const running: unknown = run(decoded as Values<A>) // cast: it was just decoded by what describes it
    return Effect.isEffect(running)
      ? (running as Effect.Effect<Answer, unknown, unknown>) // cast: it is the effect that `run` has made
      : Effect.die(new Error(`run of the prompt ${name} gave back no Effect; wrap a promise in Effect.promise`))
  }
  return {
    kind: "prompt",
    name,
    argumentNames: reading.names,
    complete,
    describe: () =>
      (description ??= {
        name,
        ...rest,
        ...(reading.names.length === 0 ? undefined : { arguments: reading.describe() })
      }),
    run: (given) =>
      Effect.flatMap(
        Effect.suspend(() => reading.decode(given)),
        (decoded) =>
          answered(
            `The prompt ${quote(name)}`,
            Effect.map(
              Effect.suspend(() => start(decoded)),
              (answer) => toResult(rest.description, answer)
            )
          )
      )
  } as Prompt<never> // cast: what its fields, completers and `run` need is in the type
}
