import type { Revision } from "../Revision.ts"
import { cancelled } from "./cancellation.ts"
import { clientCapabilities } from "./capabilities.ts"
import { complete } from "./completion.ts"
import { bare, initialize, ping } from "./lifecycle.ts"
import { logMessage, setLevel } from "./logging.ts"
import { progress } from "./progress.ts"
import { getPrompt, listPrompts } from "./prompts.ts"
import { listResources, listResourceTemplates, readResource, resourceUpdated, subscribeResource } from "./resources.ts"
import { listRoots } from "./roots.ts"
import { createMessage } from "./sampling.ts"
import { callTool, listTools } from "./tools.ts"

/** @see https://modelcontextprotocol.io/specification/2024-11-05 */
export const v2024_11_05: Revision = {
  version: "2024-11-05",
  era: "legacy",
  clientCapabilities,
  undeclared: ["completions"],
  methods: {
    "tools/list": listTools,
    "tools/call": callTool,
    "resources/list": listResources,
    "resources/templates/list": listResourceTemplates,
    "resources/read": readResource,
    "resources/subscribe": subscribeResource,
    "resources/unsubscribe": subscribeResource,
    "prompts/list": listPrompts,
    "prompts/get": getPrompt,
    "completion/complete": complete,
    "logging/setLevel": setLevel
  },
  openings: { initialize, ping },
  questions: { "sampling/createMessage": createMessage, "roots/list": listRoots },
  notifications: {
    fromClient: {
      "notifications/cancelled": cancelled,
      "notifications/progress": progress,
      "notifications/initialized": bare,
      "notifications/roots/list_changed": bare
    },
    fromServer: {
      "notifications/cancelled": cancelled,
      "notifications/progress": progress,
      "notifications/tools/list_changed": bare,
      "notifications/prompts/list_changed": bare,
      "notifications/resources/list_changed": bare,
      "notifications/resources/updated": resourceUpdated,
      "notifications/message": logMessage
    }
  }
}
