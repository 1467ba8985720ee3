import { HeaderParams, Invalid, JsonRpc, limits, quote } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { Annotated, charsOf, makeRoom, type Params } from "../remembered.ts"

/**
 * Learns from the lists of tools that pass which arguments headers have to repeat.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#client-behavior
 */
export class Learned {
  /** Only tools that have such arguments. */
  private readonly tools = new Annotated()
  /** Names of tools that had such arguments, of which it is not known any more which. */
  private readonly forgotten = new Set<string>()
  /** What is known all the same of those of them that are called: nothing until a list has passed. */
  private readonly called = new Map<string, Params | undefined>()

  of(tool: unknown): Params | undefined {
    return typeof tool === "string" ? (this.tools.of(tool) ?? this.called.get(tool)) : undefined
  }

  /** Whether a list of tools has to pass before this one can be called; what it says of it is then remembered. */
  expect(tool: string): boolean {
    if (!this.forgotten.has(tool)) return false
    const known = this.called.get(tool)
    this.called.delete(tool)
    makeRoom(this.called, limits.calledTools)
    this.called.set(tool, known)
    return known === undefined
  }

  /** A list of tools without those whose headers nobody could send. */
  filter(response: JsonRpc.Response): Effect.Effect<JsonRpc.Response> {
    if (!JsonRpc.isSuccess(response) || !Array.isArray(response.result.tools)) return Effect.succeed(response)
    const dropped: Array<string> = []
    const tools = response.result.tools.filter((tool: unknown) => {
      const wrong = this.learn(tool)
      if (wrong !== undefined) dropped.push(wrong)
      return wrong === undefined
    })
    if (dropped.length === 0) return Effect.succeed(response)
    const kept: JsonRpc.Response = { ...response, result: { ...response.result, tools } }
    return Effect.as(
      Effect.forEach(dropped, (wrong) => Effect.logWarning(wrong), { discard: true }),
      kept
    )
  }

  /** Why a tool cannot be kept, if so. */
  private learn(tool: unknown): string | undefined {
    if (!JsonRpc.isObject(tool) || typeof tool.name !== "string" || !JsonRpc.isObject(tool.inputSchema))
      return undefined
    const { inputSchema, name } = tool
    const params = HeaderParams.read(inputSchema)
    this.tools.drop(name)
    this.forgotten.delete(name)
    const chars = params instanceof Invalid || params.length === 0 ? Infinity : charsOf(name, params)
    if (params instanceof Invalid || chars > limits.learnedChars) {
      this.called.delete(name)
      return params instanceof Invalid ? `The tool ${quote(name)} is left out: ${quote(params.detail)}` : undefined
    }
    if (this.called.has(name)) this.called.set(name, params)
    for (const oldest of this.tools.add(name, params)) this.forget(oldest)
    return undefined
  }

  private forget(name: string): void {
    if (name.length > limits.forgottenToolLength) return
    makeRoom(this.forgotten, limits.forgottenTools)
    this.forgotten.add(name)
  }
}
