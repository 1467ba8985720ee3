import { Invalid, type JsonRpc, type LogMessage, type Revision } from "@effective-mcp/protocol"

const MESSAGE = "notifications/message"

/** What a notification logs; undefined when it logs nothing that its revision knows. */
export const logOf = (said: JsonRpc.Notification, revision: Revision | undefined): LogMessage | undefined => {
  const codec = said.method === MESSAGE ? revision?.notifications.fromServer[MESSAGE] : undefined
  const log = codec?.decodeParams(said.params ?? {})
  return log instanceof Invalid ? undefined : log
}

/** Errors of exchanges of which something had been heard before: beside the objects, so that nothing of it can come off a wire. */
const late = new WeakSet<object>()

/** Notes that an exchange had been heard of before it ended with this error. */
export const noteLate = (error: object): void => void late.add(error)

export const isLate = (error: object): boolean => late.has(error)
