import type { Revision } from "../Revision.ts"
import { v2025_03_26 } from "../v2025_03_26/index.ts"
import { clientCapabilities } from "./capabilities.ts"
import { complete } from "./completion.ts"
import { elicit } from "./elicitation.ts"
import { initialize } from "./lifecycle.ts"
import { getPrompt, listPrompts } from "./prompts.ts"
import { listResources, listResourceTemplates, readResource } from "./resources.ts"
import { listRoots } from "./roots.ts"
import { createMessage } from "./sampling.ts"
import { callTool, listTools } from "./tools.ts"

const { methods, notifications, openings } = v2025_03_26

/** @see https://modelcontextprotocol.io/specification/2025-06-18 */
export const v2025_06_18: Revision = {
  version: "2025-06-18",
  era: "legacy",
  clientCapabilities,
  methods: {
    ...methods,
    "tools/list": listTools,
    "tools/call": callTool,
    "resources/list": listResources,
    "resources/templates/list": listResourceTemplates,
    "resources/read": readResource,
    "prompts/list": listPrompts,
    "prompts/get": getPrompt,
    "completion/complete": complete
  },
  openings: { ...openings, initialize },
  questions: { "sampling/createMessage": createMessage, "elicitation/create": elicit, "roots/list": listRoots },
  notifications
}
