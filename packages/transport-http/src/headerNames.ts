/** Headers of the transport, as requests are asked for them. */
export const SESSION = "mcp-session-id"
export const VERSION = "mcp-protocol-version"
export const METHOD = "mcp-method"
export const NAME = "mcp-name"
export const LAST_EVENT = "last-event-id"
