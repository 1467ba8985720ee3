import type * as Fiber from "effect/Fiber"
import { clip } from "./clip.ts"

/** Bounds of the histograms of how long requests take, in seconds. @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/ */
export const boundaries = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

export type Attributes = { readonly [name: string]: string }

/** Whether somebody has installed a tracer: without one nothing is measured. */
export const isTraced = ({ cache: { tracer } }: Fiber.Fiber<unknown, unknown>): boolean => tracer !== undefined

/** What a request is about, under the name that it has there. */
export interface Target {
  /** What follows the method in a span's name. */
  readonly text: string
  readonly few: Attributes
  /** No part of a span's name, nor of a metric: there are too many. */
  readonly many: Attributes
}

/** Characters of what a peer chose that a span keeps whole: exporters hold many spans. */
const LONGEST = 1_024

export const bounded = (text: string): string => (text.length > LONGEST ? clip(text) : text)

export const targetOf = (method: string, params: object = {}): Target => {
  const { name: named, uri }: { readonly name?: unknown; readonly uri?: unknown } = params
  const name = typeof named === "string" ? bounded(named) : undefined
  if (method === "tools/call" && name !== undefined)
    return { text: ` ${name}`, few: { "gen_ai.tool.name": name, "gen_ai.operation.name": "execute_tool" }, many: {} }
  if (method === "prompts/get" && name !== undefined)
    return { text: ` ${name}`, few: { "gen_ai.prompt.name": name }, many: {} }
  const isResource = method.startsWith("resources/") && typeof uri === "string"
  return { text: "", few: {}, many: isResource ? { "mcp.resource.uri": bounded(uri) } : {} }
}

/** What there is to say of a request that was answered with an error. */
export const failedWith = (code: number): Attributes => ({
  "error.type": String(code),
  "rpc.response.status_code": String(code)
})
