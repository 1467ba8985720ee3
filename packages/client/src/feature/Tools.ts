import type { CallToolResult, ListToolsParams, ListToolsResult, Progress, Tool } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as StandardSchema from "effect/StandardSchema"
import * as Stream from "effect/Stream"
import type { CallError, EndlessList } from "../ClientError.ts"
import type { RequestOptions, SessionLike } from "../Session.ts"
import { OutputError, type OutputReason } from "./OutputError.ts"
import { compiled, learn, schemaOf } from "./outputs.ts"
import { type PageOptions, pages } from "./pages.ts"

export { OutputError, type OutputReason } from "./OutputError.ts"

/** A tool by its name, or as it was listed. */
export type Named = string | Pick<Tool, "name" | "outputSchema">

export interface CallOptions extends RequestOptions {
  /**
   * What happens when structured content is not as the tool's output schema says: the call fails with an `OutputError`, or a
   * warning is logged. Default `"fail"`. Nothing is checked of a tool that was neither listed through this client nor
   * given as listed.
   */
  readonly check?: "fail" | "warn" | "off" | undefined
}

type Args<A> = A extends ReadonlyArray<unknown> ? never : A

/**
 * Lists tools: one request, one page; `nextCursor` asks for the one after.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools
 */
export const list = (
  session: SessionLike,
  params: ListToolsParams = {},
  options?: RequestOptions
): Effect.Effect<ListToolsResult, CallError> =>
  Effect.map(session.request("tools/list", params, options), (result) => {
    learn(session, result.tools)
    return result
  })

/**
 * All tools, page after page as they are taken. It fails when the list does not end; a `maxPages` that is no count, and
 * a time that is none, throw.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export const all = (
  session: SessionLike,
  options: RequestOptions & PageOptions = {}
): Stream.Stream<Tool, CallError | EndlessList> =>
  pages(
    "tools/list",
    (params) => list(session, params, options),
    ({ tools }) => tools,
    ({ name }) => name,
    options
  )

const nameOf = (tool: Named): string => (typeof tool === "string" ? tool : tool.name)

const failed = (tool: Named, reason: OutputReason, result: CallToolResult): OutputError =>
  new OutputError({ tool: nameOf(tool), reason, result })

/** Checks what a tool gave back against what it promises. */
const checked = (
  tool: Named,
  schema: NonNullable<Tool["outputSchema"]>,
  result: CallToolResult,
  isFatal: boolean
): Effect.Effect<CallToolResult, OutputError> => {
  if (result.isError === true) return Effect.succeed(result)
  return Effect.flatMap(compiled(nameOf(tool), schema), (check): Effect.Effect<CallToolResult, OutputError> => {
    if (check === undefined) return Effect.succeed(result)
    const fit = "structuredContent" in result ? check.check(result.structuredContent) : undefined
    if (fit !== undefined && Result.isSuccess(fit)) return Effect.succeed(result)
    const reason: OutputReason =
      fit === undefined ? { _tag: "Missing" } : { _tag: "Unfit", detail: fit.failure.message }
    const error = failed(tool, reason, result)
    return isFatal ? Effect.fail(error) : Effect.as(Effect.logWarning(error.message), result)
  })
}

/**
 * Calls a tool, by its name or as it was listed. That the tool failed is a result too: see its `isError`. Structured
 * content is checked against the tool's output schema, where that is known.
 *
 * A call is never sent twice by us: when its outcome is not known, the error says so.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools
 */
export const call = <A extends object>(
  session: SessionLike,
  tool: Named,
  args?: Args<A>,
  options?: CallOptions
): Effect.Effect<CallToolResult, CallError | OutputError> => {
  const name = nameOf(tool)
  const sent = session.request(
    "tools/call",
    args === undefined ? { name } : { name, arguments: { ...(args as object) } }, // cast: an object of any type
    options
  )
  const check = options?.check ?? "fail"
  const schema = check === "off" ? undefined : schemaOf(session, tool)
  return schema === undefined ? sent : Effect.flatMap(sent, (result) => checked(tool, schema, result, check === "fail"))
}

/** What reads a tool's structured content: an Effect Schema, or a Standard Schema (zod, arktype, valibot, …). */
export type Output<A> = Schema.ConstraintDecoder<A> | StandardSchema.StandardSchemaV1<unknown, A>

const readerOf = <A>(output: Output<A>): ((value: unknown) => Effect.Effect<A, unknown>) => {
  // cast: what a schema reads follows from it, which the types say
  if (Schema.isSchema(output)) return Schema.decodeUnknownEffect(output as Schema.ConstraintDecoder<A>) as never
  const { validate } = (output as StandardSchema.StandardSchemaV1<unknown, A>)["~standard"] // cast: it is no Effect Schema
  return (value) =>
    Effect.flatMap(
      Effect.promise(async () => validate(value)),
      (read) => (read.issues === undefined ? Effect.succeed(read.value) : Effect.fail(read.issues))
    )
}

/**
 * Calls a tool and gives what its structured content is to the caller: read by `output`, which is a schema of Effect's or
 * of another library. A tool that failed, gave none, or gave something else fails with an `OutputError`.
 */
export const callAs = <A, B extends object>(
  session: SessionLike,
  tool: Named,
  output: Output<A>,
  args?: Args<B>,
  options?: CallOptions
): Effect.Effect<A, CallError | OutputError> => {
  const read = readerOf(output)
  return Effect.flatMap(call(session, tool, args as Args<B>, options), (result): Effect.Effect<A, OutputError> => {
    // cast: it is what it was
    if (result.isError === true) return Effect.fail(failed(tool, { _tag: "Failed" }, result))
    if (!("structuredContent" in result)) return Effect.fail(failed(tool, { _tag: "Missing" }, result))
    return Effect.mapError(read(result.structuredContent), (cause) =>
      failed(tool, { _tag: "Unexpected", cause }, result)
    )
  })
}

/** How far a call has got, or what came of it. */
export type Step =
  | { readonly _tag: "Progress"; readonly progress: Progress }
  | { readonly _tag: "Result"; readonly result: CallToolResult }

/**
 * Calls a tool, as a stream: each report of progress, then the result. Leaving the stream cancels the call; a reader that is
 * slow holds up the call's reports, and the time in which it has to show progress stands still.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 */
export const callWithProgress = <A extends object>(
  session: SessionLike,
  tool: Named,
  args?: Args<A>,
  options?: Omit<CallOptions, "onProgress">
): Stream.Stream<Step, CallError | OutputError> =>
  Stream.callback<Step, CallError | OutputError>(
    (queue) => {
      const onProgress = (progress: Progress) => Effect.asVoid(Queue.offer(queue, { _tag: "Progress", progress }))
      return Effect.matchCauseEffect(call(session, tool, args, { ...options, onProgress }), {
        onSuccess: (result) => Effect.andThen(Queue.offer(queue, { _tag: "Result", result }), Queue.end(queue)),
        onFailure: (cause) => Queue.failCause(queue, cause)
      })
    },
    { bufferSize: 16 }
  )

/** The text of a result: its text contents, a line each. */
export const text = ({ content }: CallToolResult): string =>
  content.flatMap((piece) => (piece.type === "text" ? [piece.text] : [])).join("\n")
