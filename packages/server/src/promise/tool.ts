import type { CallToolResult, Content, Icon, JsonRpc, ToolAnnotations } from "@effective-mcp/protocol"
import type { Given, Output, StandardInput } from "../Input.ts"
import * as Tool from "../Tool.ts"
import type { Call } from "./Call.ts"
import { type Awaitable, running } from "./running.ts"

type Json = JsonRpc.JsonObject

/** What `run` is given. */
type Arguments<I, S> = [S] extends [never] ? ([I] extends [never] ? {} : Output<I>) : Json

/** What `run` gives back: a value of `output`, or else a text, pieces of content or a whole result. */
type Answer<O, OS> = [O] extends [never]
  ? [OS] extends [never]
    ? string | Content | ReadonlyArray<Content> | CallToolResult
    : unknown
  : Given<O>

export interface ToolSpec<I extends StandardInput, O extends StandardInput, S extends Json, OS extends Json> {
  readonly title?: string
  readonly description?: string
  readonly annotations?: ToolAnnotations
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: Json
  /** What describes the arguments: a schema of zod 4, arktype or the like. None are taken without it. */
  readonly input?: I
  /** The same as JSON Schema, kept word for word: arguments are checked against it, and given to `run` as they came. */
  readonly inputSchema?: S
  /** What describes the structured result; `run` then gives back a value of it, and its JSON is the text. */
  readonly output?: O
  /** The same as JSON Schema, kept word for word. */
  readonly outputSchema?: OS
  /**
   * Runs the tool. A `ToolError` that it throws reaches the model with its text; anything else is logged, and the model
   * is only told that the tool failed.
   */
  readonly run: (args: Arguments<I, S>, call: Call) => Awaitable<Answer<O, OS>>
}

/**
 * Makes a tool. A description of another kind than its type allows is a mistake of the author: it throws.
 *
 * ```ts
 * import { tool } from "@effective-mcp/server/promise"
 * import * as z from "zod"
 *
 * export const add = tool("add", {
 *   description: "Adds two numbers",
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   run: async ({ a, b }) => `${a + b}`
 * })
 * ```
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
export const tool = <
  I extends StandardInput = never,
  O extends StandardInput = never,
  S extends Json = never,
  OS extends Json = never
>(
  name: string,
  { run, ...rest }: ToolSpec<I, O, S, OS>
): Tool.Tool => {
  const spec = {
    ...rest,
    run: (args: unknown) => running((call) => run(args as Arguments<I, S>, call)) // cast: the tool has just decoded them
  }
  return Tool.make(name, spec as never) // cast: its types are those of `run`
}
