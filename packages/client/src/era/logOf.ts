import { Invalid, type JsonRpc, type LogMessage, type Revision } from "@effective-mcp/protocol"

const MESSAGE = "notifications/message"

/** What a notification logs; undefined when it logs nothing that its revision knows. */
export const logOf = (said: JsonRpc.Notification, revision: Revision | undefined): LogMessage | undefined => {
  const codec = said.method === MESSAGE ? revision?.notifications.fromServer[MESSAGE] : undefined
  const log = codec?.decodeParams(said.params ?? {})
  return log instanceof Invalid ? undefined : log
}
