import type { Revision } from "../Revision.ts"
import { callTool, listTools } from "./tools.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28 */
export const v2026_07_28: Revision = {
  version: "2026-07-28",
  era: "modern",
  methods: { "tools/list": listTools, "tools/call": callTool }
}
