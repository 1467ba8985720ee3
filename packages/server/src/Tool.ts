import type {
  CallToolResult,
  Content,
  Icon,
  JsonRpc,
  RpcError,
  Tool as Description,
  ToolAnnotations
} from "@effective-mcp/protocol"
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { unansweredIn } from "./AskError.ts"
import type { Call } from "./Call.ts"
import { InputRequired } from "./InputRequired.ts"
import {
  type Described,
  type Given,
  type Input,
  isNothing,
  ofObject,
  type Output,
  reader,
  refuseUnknown,
  type Services
} from "./Input.ts"
import { ToolError } from "./ToolError.ts"

/** The arguments do not fit the tool's input; the message says where, for whoever sent them. */
export class InvalidArguments extends Data.TaggedError("InvalidArguments")<{ readonly message: string }> {}

/**
 * A tool of a server: one of its features. `R` is what it needs beside the call itself.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
export interface Tool<out R = never> {
  readonly kind: "tool"
  readonly name: string
  /** As clients see it; made when first asked for. */
  readonly describe: () => Description
  readonly run: (
    args: JsonRpc.JsonObject
  ) => Effect.Effect<CallToolResult | InputRequired, InvalidArguments | RpcError, R | Call>
}

/** What a tool without an output schema may give back: a text, pieces of content, a whole result, or questions. */
export type Answer = string | Content | ReadonlyArray<Content> | CallToolResult | InputRequired

export interface Spec<I extends Input, O extends Described, E, R> {
  readonly title?: string
  readonly description?: string
  readonly annotations?: ToolAnnotations
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonRpc.JsonObject
  /** What describes the arguments; none are taken without it. */
  readonly input?: I
  /** What describes the structured result; `run` then gives back a value of it, and its JSON is the text. */
  readonly output?: O
  /**
   * Runs the tool. A `ToolError` reaches the model with its text; any other failure is logged, and the model is only
   * told that the tool failed. Besides, a tool may give back the questions of `Ask.required`.
   */
  readonly run: (
    args: Output<I>
  ) => Effect.Effect<
    ([O] extends [never] ? string | Content | ReadonlyArray<Content> | CallToolResult : Given<O>) | InputRequired,
    E,
    R
  >
}

const nothing = Effect.succeed({})

const FAILED = "The tool failed. The reason is in the server's log."

const isContents = (answer: Exclude<Answer, string>): answer is ReadonlyArray<Content> => Array.isArray(answer)

const toResult = (answer: Answer): CallToolResult | InputRequired => {
  if (typeof answer === "string") return { content: [{ type: "text", text: answer }] }
  if (isContents(answer)) return { content: answer }
  return "type" in answer ? { content: [answer] } : answer
}

const failed = (content: ReadonlyArray<Content>): CallToolResult => ({ content, isError: true })

const failure = (name: string, cause: Cause.Cause<unknown>): Effect.Effect<CallToolResult, RpcError> => {
  const unanswered = unansweredIn(cause)
  if (unanswered !== undefined) {
    const { message, refusal } = unanswered
    return refusal === undefined ? Effect.succeed(failed([{ type: "text", text: message }])) : Effect.fail(refusal)
  }
  const first = cause.reasons.find((reason) => reason._tag === "Fail")?.error
  if (first instanceof ToolError)
    return Effect.succeed(failed(first.content ?? [{ type: "text", text: first.message }]))
  return Effect.as(Effect.logError(`The tool ${name} failed`, cause), failed([{ type: "text", text: FAILED }]))
}

/**
 * Makes a tool. A description of another kind than its type allows is a mistake of the author: it throws.
 *
 * ```ts
 * import { Tool } from "@effective-mcp/server"
 * import { Effect, Schema } from "effect"
 *
 * const add = Tool.make("add", {
 *   description: "Adds two numbers",
 *   input: { a: Schema.Finite, b: Schema.Finite },
 *   run: ({ a, b }) => Effect.succeed(`${a + b}`)
 * })
 * ```
 */
export const make = <I extends Input = {}, O extends Described = never, E = never, R = never>(
  name: string,
  spec: Spec<I, O, E, R>
): Tool<Exclude<R | Services<I> | Services<O>, Call>> => {
  const { input, output, run, ...rest } = spec
  refuseUnknown(name, "input", input)
  refuseUnknown(name, "output", output)
  let description: Description | undefined
  let arguments_: ReturnType<typeof reader> | undefined
  let results: ReturnType<typeof reader> | undefined
  const readArguments = () => (arguments_ ??= reader(input ?? {}, "input"))
  const readResults = (described: O) => (results ??= reader(described, "output"))

  /** In plain JavaScript nothing else says that an author forgot the effect. */
  const start = (args: Output<I>): ReturnType<typeof run> => {
    const running: unknown = run(args)
    return Effect.isEffect(running)
      ? (running as ReturnType<typeof run>) // cast: it is the effect that `run` has made
      : Effect.die(new Error(`run of the tool ${name} gave back no Effect; wrap a promise in Effect.promise`))
  }
  const encode = (described: O, value: unknown): Effect.Effect<unknown, Error, unknown> =>
    Effect.mapError(
      readResults(described).encode(value),
      (failure) => new Error(`it broke its output schema: ${readResults(described).explain(failure)}`)
    )
  const structured = (described: O, value: unknown): Effect.Effect<CallToolResult, Error, unknown> =>
    Effect.map(encode(described, value), (structuredContent) => ({
      content: [{ type: "text", text: JSON.stringify(structuredContent) }],
      structuredContent
    }))
  const answer = (args: Output<I>): Effect.Effect<CallToolResult | InputRequired, unknown, unknown> =>
    output === undefined
      ? Effect.map(start(args), (value) => toResult(value as Answer)) // cast: what `run` gives back without an output
      : Effect.flatMap(start(args), (value): Effect.Effect<CallToolResult | InputRequired, Error, unknown> =>
          value instanceof InputRequired ? Effect.succeed(value) : structured(output, value)
        )
  return {
    kind: "tool",
    name,
    describe: () =>
      (description ??= {
        name,
        ...rest,
        inputSchema:
          input === undefined || isNothing(input)
            ? { type: "object", additionalProperties: false }
            : ofObject(readArguments().jsonSchema()),
        ...(output === undefined ? undefined : { outputSchema: readResults(output).jsonSchema() })
      }),
    run: (args) =>
      Effect.matchCauseEffect(
        Effect.suspend(() => (input === undefined ? nothing : readArguments().decode(args))),
        {
          onSuccess: (value) =>
            Effect.catchCause(
              Effect.suspend(() => answer(value as Output<I>)), // cast: it was just decoded by `input`
              (cause) => failure(name, cause)
            ),
          onFailure: (cause): Effect.Effect<CallToolResult, InvalidArguments | RpcError> => {
            const mismatch = cause.reasons.find((reason) => reason._tag === "Fail")
            return mismatch === undefined
              ? failure(name, cause)
              : Effect.fail(new InvalidArguments({ message: readArguments().explain(mismatch.error) }))
          }
        }
      ) as Effect.Effect<CallToolResult | InputRequired, InvalidArguments | RpcError, never> // cast: what the schemas and `run` need is in the type
  }
}
