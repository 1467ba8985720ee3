import * as Schema from "effect/Schema"
import type { InitializeParams, InitializeResult as Initialized } from "../../model/lifecycle.ts"
import type { EmptyResult as Empty, EmptyParams } from "../../model/methods.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { optionalString } from "../fields.ts"
import { asItIs, omit } from "../project.ts"
import type { Codec, NotificationCodec, Revision } from "../Revision.ts"
import { EmptyResult, notificationParams, requestParams, Result } from "./basic.ts"
import { ClientCapabilities, clientCapabilities, ServerCapabilities } from "./capabilities.ts"
import { bareMessage, message } from "./jsonrpc.ts"

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/lifecycle#initialization */
export const Implementation = lazy(() => Schema.Struct({ name: Schema.String, version: Schema.String }))

/** What a client begins with. */
export const initializeParams = lazy(() =>
  Schema.Struct({
    protocolVersion: Schema.String,
    capabilities: ClientCapabilities(),
    clientInfo: Implementation()
  })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/lifecycle#initialization */
export const InitializeRequest = message("initialize", initializeParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/lifecycle#initialization */
export const InitializeResult = lazy(() =>
  Schema.Struct({
    protocolVersion: Schema.String,
    capabilities: ServerCapabilities(),
    serverInfo: Implementation(),
    instructions: optionalString(),
    ...Result().fields
  })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/lifecycle#initialization */
export const InitializedNotification = bareMessage("notifications/initialized", notificationParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/utilities/ping#message-format */
export const PingRequest = bareMessage("ping", requestParams)

/**
 * How a revision introduces the two sides: without these members of theirs, with what it says that a client can be asked,
 * and without these capabilities of a server.
 */
export const introduce = (
  implementation: ReadonlyArray<string>,
  ofClient: Revision["clientCapabilities"],
  ofServer: ReadonlyArray<string>
) => ({
  encodeParams: (params: InitializeParams) => ({
    ...params,
    clientInfo: omit(params.clientInfo, implementation),
    capabilities: ofClient(params.capabilities)
  }),
  encodeResult: (result: Initialized) => ({
    ...result,
    serverInfo: omit(result.serverInfo, implementation),
    capabilities: omit(result.capabilities, ofServer)
  })
})

/** Both sides are a name and a version here. @see https://modelcontextprotocol.io/specification/2024-11-05/basic/lifecycle#initialization */
export const initialize: Codec<InitializeParams, Initialized> = {
  decodeParams: paramsChecker(initializeParams),
  decodeResult: checker(InitializeResult),
  ...introduce(["title", "description", "websiteUrl", "icons"], clientCapabilities, [
    "completions",
    "tasks",
    "extensions"
  ])
}

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/utilities/ping */
export const ping: Codec<EmptyParams, Empty> = {
  decodeParams: paramsChecker(requestParams),
  encodeParams: asItIs,
  decodeResult: checker(EmptyResult),
  encodeResult: asItIs
}

/** A notification that says nothing but its name. */
export const bare: NotificationCodec<EmptyParams> = { decodeParams: checker(notificationParams), encodeParams: asItIs }
