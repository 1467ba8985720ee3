import { isObject } from "../JsonRpc.ts"

/**
 * An image that stands for something; `src` is an `https:` or `data:` URI.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#icons
 */
export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly sizes?: ReadonlyArray<string>
  readonly theme?: "light" | "dark"
}

/**
 * A client or a server, as it describes itself; nothing in it is verified.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#implementation
 */
export interface Implementation {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: ReadonlyArray<Icon>
}

/** Whether a value describes an implementation: what else it says is not looked at. */
export const isImplementation = (value: unknown): value is Implementation =>
  isObject(value) && typeof value.name === "string" && typeof value.version === "string"
