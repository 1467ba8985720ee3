import type { Revision } from "../Revision.ts"
import { v2024_11_05 } from "../v2024_11_05/index.ts"
import { clientCapabilities } from "./capabilities.ts"
import { initialize } from "./lifecycle.ts"
import { progress } from "./progress.ts"
import { getPrompt } from "./prompts.ts"
import { createMessage } from "./sampling.ts"
import { callTool, listTools } from "./tools.ts"

const { methods, notifications, openings, questions } = v2024_11_05

/** @see https://modelcontextprotocol.io/specification/2025-03-26 */
export const v2025_03_26: Revision = {
  version: "2025-03-26",
  era: "legacy",
  clientCapabilities,
  batches: true,
  methods: { ...methods, "tools/list": listTools, "tools/call": callTool, "prompts/get": getPrompt },
  openings: { ...openings, initialize },
  questions: { ...questions, "sampling/createMessage": createMessage },
  notifications: {
    fromClient: { ...notifications.fromClient, "notifications/progress": progress },
    fromServer: { ...notifications.fromServer, "notifications/progress": progress }
  }
}
