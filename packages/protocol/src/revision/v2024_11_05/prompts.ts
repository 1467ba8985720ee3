import * as Schema from "effect/Schema"
import type { Content } from "../../model/content.ts"
import type { Methods } from "../../model/methods.ts"
import type { GetPromptResult as Gotten } from "../../model/prompts.ts"
import type { JsonObject } from "../../JsonRpc.ts"
import { checker, lazy, listChecker, paramsChecker } from "../check.ts"
import { optional, optionalBoolean, optionalString } from "../fields.ts"
import { asItIs, list, ofLegacy, omit } from "../project.ts"
import type { Codec } from "../Revision.ts"
import { Role } from "./annotations.ts"
import { notificationParams, Result } from "./basic.ts"
import { contentBlock, encodeContent } from "./content.ts"
import { bareMessage, message } from "./jsonrpc.ts"
import { page, pageRequest, PaginatedResult } from "./pagination.ts"

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#prompt */
export const PromptArgument = lazy(() =>
  Schema.Struct({ name: Schema.String, description: optionalString(), required: optionalBoolean() })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#prompt */
export const Prompt = lazy(() =>
  Schema.Struct({
    name: Schema.String,
    description: optionalString(),
    arguments: optional(Schema.Array(PromptArgument()))
  })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#listing-prompts */
export const ListPromptsRequest = pageRequest("prompts/list")

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#listing-prompts */
export const ListPromptsResult = lazy(() =>
  Schema.Struct({ prompts: Schema.Array(Prompt()), ...PaginatedResult().fields })
)

/** Which prompt, and what fills its gaps. */
export const promptParams = lazy(() =>
  Schema.Struct({ name: Schema.String, arguments: optional(Schema.Record(Schema.String, Schema.String)) })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#getting-a-prompt */
export const GetPromptRequest = message("prompts/get", promptParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#promptmessage */
export const PromptMessage = lazy(() => Schema.Struct({ role: Role(), content: contentBlock() }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#getting-a-prompt */
export const GetPromptResult = lazy(() =>
  Schema.Struct({ description: optionalString(), messages: Schema.Array(PromptMessage()), ...Result().fields })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#list-changed-notification */
export const PromptListChangedNotification = bareMessage("notifications/prompts/list_changed", notificationParams)

/** A prompt is its name, description and arguments here. @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#listing-prompts */
export const listPrompts: Codec<Methods["prompts/list"]["params"], Methods["prompts/list"]["result"]> = {
  ...page,
  decodeResult: listChecker(ListPromptsResult, "prompts", Prompt),
  encodeResult: list("prompts", (prompt) => {
    const { arguments: args, ...rest } = omit(prompt, ["title", "icons", "_meta"])
    return args === undefined ? rest : { ...rest, arguments: args.map((argument) => omit(argument, ["title"])) }
  })
}

/** How a revision writes the messages of a prompt. */
export const encodeMessages =
  (encode: (block: Content) => Content) =>
  ({ messages, ...rest }: Gotten): JsonObject => ({
    ...ofLegacy(rest),
    messages: messages.map((said) => {
      const content = encode(said.content)
      return content === said.content ? said : { ...said, content }
    })
  })

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#getting-a-prompt */
export const getPrompt: Codec<Methods["prompts/get"]["params"], Methods["prompts/get"]["result"]> = {
  decodeParams: paramsChecker(promptParams),
  encodeParams: asItIs,
  decodeResult: checker(GetPromptResult),
  encodeResult: encodeMessages(encodeContent)
}
