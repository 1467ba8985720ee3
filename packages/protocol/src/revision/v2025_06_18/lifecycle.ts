import * as Schema from "effect/Schema"
import type { Openings } from "../../model/methods.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import type { Codec } from "../Revision.ts"
import { message } from "../v2024_11_05/jsonrpc.ts"
import { introduce, Implementation as Implementation_2024_11_05 } from "../v2024_11_05/lifecycle.ts"
import { InitializeResult as InitializeResult_2025_03_26 } from "../v2025_03_26/lifecycle.ts"
import { BaseMetadata } from "./annotations.ts"
import { ClientCapabilities, clientCapabilities } from "./capabilities.ts"

export { InitializedNotification, PingRequest } from "../v2025_03_26/lifecycle.ts"

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#implementation */
export const Implementation = lazy(() =>
  Schema.Struct({ ...Implementation_2024_11_05().fields, ...BaseMetadata().fields })
)

const initializeParams = lazy(() =>
  Schema.Struct({
    protocolVersion: Schema.String,
    capabilities: ClientCapabilities(),
    clientInfo: Implementation()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#initializerequest */
export const InitializeRequest = message("initialize", initializeParams)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#initializeresult */
export const InitializeResult = lazy(() =>
  Schema.Struct({ ...InitializeResult_2025_03_26().fields, serverInfo: Implementation() })
)

/** Both sides have no description, no site and no icons here. @see https://modelcontextprotocol.io/specification/2025-06-18/basic/lifecycle#initialization */
export const initialize: Codec<Openings["initialize"]["params"], Openings["initialize"]["result"]> = {
  decodeParams: paramsChecker(initializeParams),
  decodeResult: checker(InitializeResult),
  ...introduce(["description", "websiteUrl", "icons"], clientCapabilities, ["tasks", "extensions"])
}
