import type { Revision } from "../Revision.ts"
import { callTool, listTools } from "./tools.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25 */
export const v2025_11_25: Revision = {
  version: "2025-11-25",
  era: "legacy",
  methods: { "tools/list": listTools, "tools/call": callTool }
}
