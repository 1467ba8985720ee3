import { Extension, type JsonRpc } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type { CallError } from "../ClientError.ts"
import type { RequestOptions, Session } from "../Session.ts"

/** One call of a method of an extension. */
export interface Called {
  /** The id of the extension, as the server's capabilities name it. */
  readonly extension: string
  readonly method: string
  /** Its parameters, default none. A `_meta` among them is not sent: `meta` of the options is. */
  readonly params?: JsonRpc.JsonObject | undefined
}

/** What can be set for a call. */
export interface CallOptions extends Pick<
  RequestOptions,
  "onProgress" | "timeout" | "totalTimeout" | "meta" | "onLog" | "logLevel"
> {}

/**
 * What the server says of an extension: its settings, undefined when it does not name it. Nothing of them is verified.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation
 */
export const settings = (session: Pick<Session, "capabilities">, id: string): JsonRpc.JsonObject | undefined =>
  Extension.settingsOf(session.capabilities, id)

/**
 * Calls a method of an extension and gives back its result as it came, with a `resultType` of its own; one that asks for input
 * is given back, too. A server that does not name the extension is sent nothing: the call fails with `NotOffered`. Whether the
 * client has to have declared the extension is the server's to say (`-32021`).
 *
 * A call is never sent twice by us once a wire has had it: when its outcome is not known, the error says so. Its result is not
 * kept. An id of another form, and a method that the protocol has itself, are mistakes of the author: they throw.
 *
 * ```ts
 * import { type Client, Extension } from "@effective-mcp/client"
 *
 * export const now = (client: Client.Client, city: string) =>
 *   Extension.call(client, { extension: "com.example/weather", method: "weather/now", params: { city } }, { timeout: "5 seconds" })
 * ```
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation
 */
export const call = (
  session: Session,
  { extension, method, params = {} }: Called,
  options?: CallOptions
): Effect.Effect<JsonRpc.JsonObject, CallError> => {
  Extension.requireId(extension)
  Extension.requireMethod(extension, method)
  return session.request("extension/call", { extension, method, params }, options)
}
