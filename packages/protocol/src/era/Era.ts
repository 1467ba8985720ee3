/**
 * How a client and a server begin: with an `initialize` handshake, or with all they need in every request.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#terminology
 */
export type Era = "legacy" | "modern"
