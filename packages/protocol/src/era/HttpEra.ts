import { isRequest, isResponse, type JsonObject, type Message } from "../JsonRpc.ts"
import { CLIENT_CAPABILITIES, of, PROTOCOL_VERSION } from "../Meta.ts"
import { methodTable } from "../revision/methodTable.ts"
import { legacy, modern } from "../revision/registry.ts"
import type { Revision } from "../revision/Revision.ts"
import type { Era } from "./Era.ts"
import { opening as openingOnPipe } from "./opening.ts"

const isOf = (revisions: ReadonlyArray<Revision>, named: string): boolean =>
  revisions.some(({ version }) => version === named)

/** What the headers of an HTTP request say of its era. */
export interface Said {
  readonly session: string | undefined
  readonly version: string | undefined
}

/**
 * The era that the headers of an HTTP request open, where its body says nothing: a session is legacy, else the version
 * decides, and one that nobody knows is the modern era's to refuse.
 */
export const openingByHeaders = ({ session, version }: Said): Era =>
  session !== undefined || version === undefined || isOf(legacy, version) ? "legacy" : "modern"

/**
 * The era that a message of an HTTP request opens, for a server that speaks both: what it says in its `_meta` comes
 * first, then `initialize`, then the headers.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions
 */
export const opening = (message: Message, said: Said): Era => {
  if (isResponse(message)) return openingByHeaders(said)
  const meta = of(message.params)
  if (PROTOCOL_VERSION in meta || CLIENT_CAPABILITIES in meta) return "modern"
  if (message.method === "initialize" || said.session !== undefined) return "legacy"
  return said.version === undefined ? openingOnPipe(message) : openingByHeaders(said)
}

/** The version that a message carries itself, as every modern one does; undefined for a legacy one. */
export const versionIn = (message: Message): string | undefined => {
  if (isResponse(message)) return undefined
  const version = of(message.params)[PROTOCOL_VERSION]
  return typeof version === "string" ? version : undefined
}

/** Whether a version that a header names is one that any server of ours speaks. */
export const isKnownVersion = (version: string): boolean => isOf(legacy, version) || isOf(modern, version)

/**
 * The revision that an HTTP request without a session is in. The one that had no version header yet is what a request
 * without it means.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header
 */
export const versionOf = (header: string | undefined): string => header ?? "2025-03-26"

/** Whether a session in this revision is held to the version header at all. */
export const hasVersionHeader = (version: string | undefined): boolean =>
  version !== "2025-03-26" && version !== "2024-11-05"

/**
 * Whether a server may begin a stream with an event that says nothing, and close a stream before its response.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
 */
export const allowsPolling = (version: string | undefined): boolean => version === "2025-11-25"

/** The member of a request's params that `Mcp-Name` repeats, by method. */
const named: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"]
])

/**
 * What `Mcp-Name` has to say of a request; undefined where its method has no such header.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
 */
export const nameOf = ({ method, params }: { readonly method: string; readonly params?: JsonObject }) => {
  const member = named.get(method)
  if (member === undefined) return undefined
  return { value: params !== undefined && Object.hasOwn(params, member) ? params[member] : undefined }
}

export { allowsBatches } from "../revision/registry.ts"

let requests: ReadonlySet<string> | undefined

/** Whether a message lacks the id that its method asks for: such a one is never run. */
export const lacksId = (message: Message): boolean => {
  if (isResponse(message) || isRequest(message) || message.method.startsWith("notifications/")) return false
  requests ??= new Set(
    Object.entries(methodTable()).flatMap(([method, { kind }]) => (kind === "request" ? [method] : []))
  )
  return requests.has(message.method)
}
