import * as Schema from "effect/Schema"
import type { Openings } from "../../model/methods.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { optionalString } from "../fields.ts"
import { asItIs } from "../project.ts"
import type { Codec } from "../Revision.ts"
import {
  Implementation as Implementation_2025_06_18,
  InitializeResult as InitializeResult_2025_06_18
} from "../v2025_06_18/lifecycle.ts"
import { NotificationParams, RequestParams } from "./basic.ts"
import { ClientCapabilities, ServerCapabilities } from "./capabilities.ts"
import { Icons } from "./icons.ts"
import { bareNotification, bareRequest, request } from "./jsonrpc.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#implementation */
export const Implementation = lazy(() =>
  Schema.Struct({
    ...Implementation_2025_06_18().fields,
    description: optionalString(),
    websiteUrl: optionalString(),
    ...Icons().fields
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#initializerequestparams */
export const InitializeRequestParams = lazy(() =>
  Schema.Struct({
    ...RequestParams().fields,
    protocolVersion: Schema.String,
    capabilities: ClientCapabilities(),
    clientInfo: Implementation()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#initializerequest */
export const InitializeRequest = request("initialize", InitializeRequestParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#initializeresult */
export const InitializeResult = lazy(() =>
  Schema.Struct({
    ...InitializeResult_2025_06_18().fields,
    capabilities: ServerCapabilities(),
    serverInfo: Implementation()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#initializednotification */
export const InitializedNotification = bareNotification("notifications/initialized", NotificationParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#pingrequest */
export const PingRequest = bareRequest("ping", RequestParams)

/** Extensions are named among the capabilities here, too, though only later revisions define where. @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization */
export const initialize: Codec<Openings["initialize"]["params"], Openings["initialize"]["result"]> = {
  decodeParams: paramsChecker(InitializeRequestParams),
  encodeParams: asItIs,
  decodeResult: checker(InitializeResult),
  encodeResult: asItIs
}
