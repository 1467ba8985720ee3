import * as Schema from "effect/Schema"
import type { Openings } from "../../model/methods.ts"
import { checker, lazy } from "../check.ts"
import type { Codec } from "../Revision.ts"
import {
  initialize as initialize_2024_11_05,
  InitializeResult as InitializeResult_2024_11_05,
  introduce
} from "../v2024_11_05/lifecycle.ts"
import { clientCapabilities, ServerCapabilities } from "./capabilities.ts"

export { Implementation, InitializedNotification, InitializeRequest, PingRequest } from "../v2024_11_05/lifecycle.ts"

/** @see https://modelcontextprotocol.io/specification/2025-03-26/basic/lifecycle#initialization */
export const InitializeResult = lazy(() =>
  Schema.Struct({ ...InitializeResult_2024_11_05().fields, capabilities: ServerCapabilities() })
)

/** Both sides are a name and a version here. @see https://modelcontextprotocol.io/specification/2025-03-26/basic/lifecycle#initialization */
export const initialize: Codec<Openings["initialize"]["params"], Openings["initialize"]["result"]> = {
  ...initialize_2024_11_05,
  decodeResult: checker(InitializeResult),
  ...introduce(["title", "description", "websiteUrl", "icons"], clientCapabilities, ["tasks", "extensions"])
}
