import type { Headers } from "@effective-mcp/http/client"
import { JsonRpc, legacyRevisions, Meta, modernRevisions } from "@effective-mcp/protocol"
import { info } from "../info.ts"
import type { Sent } from "../Probe.ts"

/** One request to find something out with; only those that have a body are about an id. */
export interface Question {
  readonly sent: Sent
  readonly method: "POST" | "GET"
  readonly headers: Headers
  readonly message?: JsonRpc.Request
}

/** The header that names a legacy session. */
export const SESSION = "mcp-session-id"

const POST: Headers = { accept: "application/json, text/event-stream", "content-type": "application/json" }

/** What any server may be asked at any time, until 2025-11-25. */
export const ping: Question = {
  sent: "POST ping",
  method: "POST",
  headers: POST,
  message: JsonRpc.request(1, "ping")
}

/** What any server may be asked at any time, from 2026-07-28 on. */
export const discover = (): Question => {
  const { clientCapabilities, version } = modernRevisions[0]
  const method = "server/discover"
  const meta = {
    [Meta.PROTOCOL_VERSION]: version,
    [Meta.CLIENT_INFO]: info,
    [Meta.CLIENT_CAPABILITIES]: clientCapabilities({})
  }
  return {
    sent: "POST server/discover",
    method: "POST",
    headers: { ...POST, "mcp-protocol-version": version, "mcp-method": method },
    message: JsonRpc.request(2, method, { _meta: meta })
  }
}

/** What has to come first on a server with sessions; it opens one. */
export const initialize = (): Question => {
  const { clientCapabilities, version } = legacyRevisions[0]
  const params = { protocolVersion: version, capabilities: clientCapabilities({}), clientInfo: info }
  return {
    sent: "POST initialize",
    method: "POST",
    headers: POST,
    message: JsonRpc.request(3, "initialize", params)
  }
}

/** What opens the stream of a server over HTTP+SSE. */
export const get: Question = { sent: "GET", method: "GET", headers: { accept: "text/event-stream" } }
