import type { Implementation } from "@effective-mcp/protocol"

/** Who connects, unless a program says so: as this package calls itself. */
export const info: Implementation = { name: "effective-mcp", version: "0.0.0" }
