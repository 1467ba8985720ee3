export type { Connection } from "@effective-mcp/protocol"
