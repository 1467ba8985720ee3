import type { Revision } from "../Revision.ts"
import { v2025_06_18 } from "../v2025_06_18/index.ts"
import { cancelled } from "./cancellation.ts"
import { clientCapabilities } from "./capabilities.ts"
import { elicit, elicitationComplete } from "./elicitation.ts"
import { initialize } from "./lifecycle.ts"
import { logMessage } from "./logging.ts"
import { progress } from "./progress.ts"
import { getPrompt, listPrompts } from "./prompts.ts"
import { listResources, listResourceTemplates, resourceUpdated } from "./resources.ts"
import { createMessage } from "./sampling.ts"
import { tasks, taskStatus } from "./tasks.ts"
import { callTool, listTools } from "./tools.ts"

const { methods, notifications, openings, questions } = v2025_06_18

/** @see https://modelcontextprotocol.io/specification/2025-11-25 */
export const v2025_11_25: Revision = {
  version: "2025-11-25",
  era: "legacy",
  clientCapabilities,
  methods: {
    ...methods,
    "tools/list": listTools,
    "tools/call": callTool,
    "resources/list": listResources,
    "resources/templates/list": listResourceTemplates,
    "prompts/list": listPrompts,
    "prompts/get": getPrompt,
    ...tasks
  },
  openings: { ...openings, initialize },
  questions: { ...questions, "sampling/createMessage": createMessage, "elicitation/create": elicit, ...tasks },
  notifications: {
    fromClient: {
      ...notifications.fromClient,
      "notifications/cancelled": cancelled,
      "notifications/progress": progress,
      "notifications/tasks/status": taskStatus
    },
    fromServer: {
      ...notifications.fromServer,
      "notifications/cancelled": cancelled,
      "notifications/progress": progress,
      "notifications/resources/updated": resourceUpdated,
      "notifications/message": logMessage,
      "notifications/elicitation/complete": elicitationComplete,
      "notifications/tasks/status": taskStatus
    }
  }
}
