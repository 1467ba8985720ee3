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
  type Reader,
  reader,
  refuseUnknown,
  type Services
} from "./Input.ts"
import { InvalidArguments } from "./InvalidArguments.ts"
import { requireHeaders } from "./tool/headers.ts"
import { rawReader } from "./tool/raw.ts"
import { ToolError } from "./ToolError.ts"

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

type Json = JsonRpc.JsonObject

export interface Spec<I extends Input, O extends Described, E, R, S extends Json = never, OS extends Json = never> {
  readonly title?: string
  readonly description?: string
  readonly annotations?: ToolAnnotations
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonRpc.JsonObject
  /** What describes the arguments; none are taken without it. */
  readonly input?: I
  /** The same as JSON Schema, kept word for word: arguments are checked against it, and given to `run` as they came. */
  readonly inputSchema?: S
  /** What describes the structured result; `run` then gives back a value of it, and its JSON is the text. */
  readonly output?: O
  /** The same as JSON Schema, kept word for word. */
  readonly outputSchema?: OS
  /**
   * Runs the tool. A `ToolError` reaches the model with its text; any other failure is logged, and the model is only
   * told that the tool failed. Besides, a tool may give back the questions of `Ask.required`.
   */
  readonly run: (
    args: [S] extends [never] ? Output<I> : Json
  ) => Effect.Effect<
    | ([O] extends [never]
        ? [OS] extends [never]
          ? string | Content | ReadonlyArray<Content> | CallToolResult
          : unknown
        : Given<O>)
    | InputRequired,
    E,
    R
  >
}

const nothing = Effect.succeed({})

/** What some code makes; where it throws, an effect that dies of that. */
const begun = <A, E, R>(make: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  try {
    return make()
  } catch (defect) {
    return Effect.die(defect)
  }
}

const FAILED = "The tool failed. The reason is in the server's log."

const isContents = (answer: Exclude<Answer, string>): answer is ReadonlyArray<Content> => Array.isArray(answer)

const refuseTwice = (name: string, described: object | undefined, schema: object | undefined): void => {
  if (described !== undefined && schema !== undefined)
    throw new Error(`the tool ${name} describes the same thing twice: as a schema of a library, and as JSON Schema`)
}

/** JSON Schema of arguments says itself that they are an object; it is not touched. */
const requireObject = (name: string, schema: Json): Json => {
  if (schema.type !== "object") throw new Error(`inputSchema of the tool ${name} has no "type": "object"`)
  return schema
}

const described = (arguments_: Reader): Json => {
  const schema = ofObject(arguments_.jsonSchema())
  requireHeaders(schema)
  return schema
}

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
export const make = <
  I extends Input = {},
  O extends Described = never,
  E = never,
  R = never,
  S extends Json = never,
  OS extends Json = never
>(
  name: string,
  spec: Spec<I, O, E, R, S, OS>
): Tool<Exclude<R | Services<I> | Services<O>, Call>> => {
  const { input, inputSchema, output, outputSchema, run, ...rest } = spec
  refuseTwice(name, input, inputSchema)
  refuseTwice(name, output, outputSchema)
  refuseUnknown(name, "input", input)
  refuseUnknown(name, "output", output)
  if (inputSchema !== undefined) requireHeaders(requireObject(name, inputSchema))
  const takesNothing = inputSchema === undefined && (input === undefined || isNothing(input))
  const hasOutput = output !== undefined || outputSchema !== undefined
  let description: Description | undefined
  let arguments_: Reader | undefined
  let results: Reader | undefined
  const readArguments = () =>
    (arguments_ ??= inputSchema === undefined ? reader(input ?? {}, "input") : rawReader(inputSchema))
  const readResults = () =>
    (results ??= outputSchema === undefined ? reader(output ?? {}, "output") : rawReader(outputSchema))

  /** Runs it. In plain JavaScript nothing else says that an author forgot the effect. */
  const start = (args: Parameters<typeof run>[0]): ReturnType<typeof run> =>
    begun(() => {
      const running: unknown = run(args)
      return Effect.isEffect(running)
        ? (running as ReturnType<typeof run>) // cast: it is the effect that `run` has made
        : Effect.die(new Error(`run of the tool ${name} gave back no Effect; wrap a promise in Effect.promise`))
    })
  const encode = (value: unknown): Effect.Effect<unknown, Error, unknown> =>
    Effect.mapError(
      readResults().encode(value),
      (failure) => new Error(`it broke its output schema: ${readResults().explain(failure)}`)
    )
  const structured = (value: unknown): Effect.Effect<CallToolResult, Error, unknown> =>
    Effect.map(encode(value), (structuredContent) => ({
      content: [{ type: "text", text: JSON.stringify(structuredContent) }],
      structuredContent
    }))
  const answer = (args: Parameters<typeof run>[0]): Effect.Effect<CallToolResult | InputRequired, unknown, unknown> =>
    !hasOutput
      ? Effect.map(start(args), (value) => toResult(value as Answer)) // cast: what `run` gives back without an output
      : Effect.flatMap(start(args), (value): Effect.Effect<CallToolResult | InputRequired, Error, unknown> =>
          value instanceof InputRequired ? Effect.succeed(value) : structured(value)
        )
  const fail = (cause: Cause.Cause<unknown>) => failure(name, cause)
  /** What comes of arguments that were read. */
  const read = {
    onSuccess: (value: unknown) => Effect.catchCause(answer(value as Parameters<typeof run>[0]), fail), // cast: it was just decoded by what describes it
    onFailure: (cause: Cause.Cause<unknown>): Effect.Effect<CallToolResult, InvalidArguments | RpcError> => {
      const mismatch = cause.reasons.find((reason) => reason._tag === "Fail")
      return mismatch === undefined
        ? fail(cause)
        : Effect.fail(new InvalidArguments({ message: readArguments().explain(mismatch.error) }))
    }
  }
  return {
    kind: "tool",
    name,
    describe: () =>
      (description ??= {
        name,
        ...rest,
        inputSchema: takesNothing
          ? { type: "object", additionalProperties: false }
          : (inputSchema ?? described(readArguments())),
        ...(hasOutput ? { outputSchema: readResults().jsonSchema() } : undefined)
      }),
    run: (args) =>
      Effect.suspend(() =>
        // most arguments are read at once
        Effect.matchCauseEffectEager(
          begun(() => (input === undefined && inputSchema === undefined ? nothing : readArguments().decode(args))),
          read
        )
      ) as Effect.Effect<CallToolResult | InputRequired, InvalidArguments | RpcError, never> // cast: what the schemas and `run` need is in the type
  }
}
