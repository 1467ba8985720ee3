import { HeaderParams, Invalid, JsonRpc, limits, quote } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"

/**
 * Learns from the lists of tools that pass which arguments headers have to repeat.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#client-behavior
 */
export class Learned {
  /** Only tools that have such arguments, the oldest first. */
  private readonly tools = new Map<string, ReadonlyArray<HeaderParams.HeaderParam>>()

  of(tool: unknown): ReadonlyArray<HeaderParams.HeaderParam> | undefined {
    return typeof tool === "string" ? this.tools.get(tool) : undefined
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
    const params = HeaderParams.read(tool.inputSchema)
    this.tools.delete(tool.name)
    if (params instanceof Invalid) return `The tool ${quote(tool.name)} is left out: ${quote(params.detail)}`
    if (params.length === 0) return undefined
    for (const oldest of this.tools.keys()) {
      if (this.tools.size < limits.learnedTools) break
      this.tools.delete(oldest)
    }
    this.tools.set(tool.name, params)
    return undefined
  }
}
