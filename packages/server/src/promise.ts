/**
 * The server for people without Effect: handlers are functions that give back a promise, and fail by throwing. What is
 * made here are the same values as of the package itself, so that both may stand in one server.
 */
export { AskError, type AskReason } from "./AskError.ts"
export type { AskOptions } from "./Call.ts"
export type { Contents, Part } from "./contents.ts"
export type { Feature } from "./Feature.ts"
export * as Ask from "./promise/Ask.ts"
export type { Call } from "./promise/Call.ts"
export { changes, type Changes } from "./promise/changes.ts"
export type { Completer, Completers } from "./promise/completers.ts"
export { prompt, type PromptSpec } from "./promise/prompt.ts"
export { resource, type ResourceSpec, resourceTemplate, type ResourceTemplateSpec } from "./promise/resource.ts"
export type { Awaitable } from "./promise/running.ts"
export { tool, type ToolSpec } from "./promise/tool.ts"
export { ToolError } from "./promise/ToolError.ts"
export { assistant, type Prompt, user } from "./Prompt.ts"
export type { Resource } from "./Resource.ts"
export { ResourceNotFound } from "./ResourceNotFound.ts"
export type { ResourceTemplate } from "./ResourceTemplate.ts"
export { make as server, type Options as ServerOptions, type Server } from "./Server.ts"
export type { Tool } from "./Tool.ts"
export { RpcError } from "@effective-mcp/protocol"
