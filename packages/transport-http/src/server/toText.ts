import { ErrorCode, JsonRpc } from "@effective-mcp/protocol"

const internal = { code: ErrorCode.InternalError, message: "Internal error" }

/** A message as JSON text; undefined where it holds what JSON cannot say. */
export const toText = (message: JsonRpc.Message): string | undefined => {
  try {
    return JSON.stringify(message)
  } catch {
    return undefined
  }
}

/** A response as JSON text: one that cannot be written is an error of ours. */
export const responseText = (response: JsonRpc.Response): string =>
  toText(response) ?? JSON.stringify(JsonRpc.failure(response.id ?? undefined, internal))
