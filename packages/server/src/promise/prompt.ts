import type { GetPromptResult, Icon, JsonRpc, PromptArgument, PromptMessage } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { type Given, ofObject, type Output, reader, type Reader, type StandardInput } from "../Input.ts"
import { InvalidArguments } from "../InvalidArguments.ts"
import * as Prompt from "../Prompt.ts"
import type { Call } from "./Call.ts"
import { type Completers, completersOf } from "./completers.ts"
import { type Awaitable, running } from "./running.ts"

/** What a client can send: nothing but texts. */
type Texts = { readonly [name: string]: string | undefined }

/** A schema of an object whose members are read from texts. */
type Arguments = StandardInput

type Values<A> = [A] extends [never] ? {} : Output<A>

type NameOf<A> = [A] extends [never] ? never : Extract<keyof Given<A>, string>

export interface PromptSpec<A extends Arguments> {
  readonly title?: string
  readonly description?: string
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonRpc.JsonObject
  /** What fills the gaps: a schema of zod 4, arktype or the like, of an object of texts. There are none without it. */
  readonly arguments?: A & ([Given<A>] extends [Texts] ? unknown : never)
  /** Completes an argument while it is typed. */
  readonly complete?: Completers<NameOf<A>>
  /**
   * Makes the messages: a text of the user's, messages, or a whole result. An `RpcError` that it throws is the answer as
   * it stands; anything else is logged, and the client is only told that there was a failure.
   */
  readonly run: (
    args: Values<A>,
    call: Call
  ) => Awaitable<string | PromptMessage | ReadonlyArray<PromptMessage> | GetPromptResult>
}

/** The arguments as clients see them, read off the JSON Schema of their object. */
const listed = (schema: JsonRpc.JsonObject): ReadonlyArray<PromptArgument> => {
  const { properties = {}, required = [] } = ofObject(schema) as {
    readonly properties?: { readonly [name: string]: { readonly title?: string; readonly description?: string } }
    readonly required?: ReadonlyArray<string>
  } // cast: the JSON Schema of an object
  return Object.entries(properties).map(([name, { description, title }]) => ({
    name,
    ...(title === undefined ? undefined : { title }),
    ...(description === undefined ? undefined : { description }),
    required: required.includes(name)
  }))
}

const decoding = (read: Reader, given: unknown): Effect.Effect<unknown, InvalidArguments> =>
  Effect.mapError(
    read.decode(given) as Effect.Effect<unknown, unknown>, // cast: a Standard Schema needs no services
    (failure) => new InvalidArguments({ message: `Invalid arguments: ${read.explain(failure)}` })
  )

/**
 * Makes a prompt. Arguments that are no object, and completers of none of them, are mistakes of the author: it throws.
 *
 * ```ts
 * import { prompt } from "@effective-mcp/server/promise"
 * import * as z from "zod"
 *
 * export const review = prompt("review", {
 *   description: "Asks for a review of some code",
 *   arguments: z.object({ code: z.string(), language: z.string().optional() }),
 *   complete: { language: ["python", "rust", "typescript"] },
 *   run: async ({ code, language = "some" }) => `Please review this ${language} code:\n${code}`
 * })
 * ```
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
export const prompt = <A extends Arguments = never>(
  name: string,
  { arguments: args, complete, run, ...rest }: PromptSpec<A>
): Prompt.Prompt => {
  const read = args === undefined ? undefined : reader(args, "input")
  const spec = {
    ...rest,
    arguments: read === undefined ? [] : listed(read.jsonSchema()),
    complete: completersOf(complete as Completers), // cast: a completer is for an argument by its name
    run: (given: unknown) =>
      Effect.flatMap(
        read === undefined ? Effect.succeed({}) : decoding(read, given),
        (decoded) => running((call) => run(decoded as Values<A>, call)) // cast: it was just decoded by what describes it
      )
  }
  return Prompt.make(name, spec as never) // cast: its types are those of `run`
}
