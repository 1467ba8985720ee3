import type { NotificationCodec, Revision } from "../Revision.ts"
import type { EmptyParams } from "../../model/methods.ts"
import { checker } from "../check.ts"
import { asItIs } from "../project.ts"
import { NotificationParams } from "./basic.ts"
import { cancelled } from "./cancellation.ts"
import { clientCapabilities } from "./capabilities.ts"
import { complete } from "./completion.ts"
import { discover } from "./discovery.ts"
import { elicit } from "./elicitation.ts"
import { inputRequired } from "./inputRequired.ts"
import { logMessage } from "./logging.ts"
import { progress } from "./progress.ts"
import { getPrompt, listPrompts } from "./prompts.ts"
import { listResources, listResourceTemplates, readResource, resourceUpdated } from "./resources.ts"
import { listRoots } from "./roots.ts"
import { createMessage } from "./sampling.ts"
import { acknowledged, listen } from "./subscriptions.ts"
import { callTool, listTools } from "./tools.ts"

const bare: NotificationCodec<EmptyParams> = { decodeParams: checker(NotificationParams), encodeParams: asItIs }

/** @see https://modelcontextprotocol.io/specification/2026-07-28 */
export const v2026_07_28: Revision = {
  version: "2026-07-28",
  era: "modern",
  clientCapabilities,
  methods: {
    "tools/list": listTools,
    "tools/call": callTool,
    "resources/list": listResources,
    "resources/templates/list": listResourceTemplates,
    "resources/read": readResource,
    "prompts/list": listPrompts,
    "prompts/get": getPrompt,
    "completion/complete": complete,
    "subscriptions/listen": listen
  },
  openings: { "server/discover": discover },
  questions: { "sampling/createMessage": createMessage, "elicitation/create": elicit, "roots/list": listRoots },
  inputRequired,
  notifications: {
    fromClient: { "notifications/cancelled": cancelled },
    fromServer: {
      "notifications/cancelled": cancelled,
      "notifications/progress": progress,
      "notifications/tools/list_changed": bare,
      "notifications/prompts/list_changed": bare,
      "notifications/resources/list_changed": bare,
      "notifications/resources/updated": resourceUpdated,
      "notifications/message": logMessage,
      "notifications/subscriptions/acknowledged": acknowledged
    }
  }
}
