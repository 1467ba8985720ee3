/**
 * The client for people without Effect: its functions give back promises and async iterables, and fail by throwing the
 * same typed errors.
 */
export { accept, cancel, decline, type Reply, type SampleOptions } from "./Answers.ts"
export { EndlessList, NoCommonRevision, NotOffered, Withheld } from "./ClientError.ts"
export type { Change } from "./feature/Subscriptions.ts"
export { ResourceNotFound } from "./feature/Resources.ts"
export { OutputError, text } from "./feature/Tools.ts"
export type { Wait } from "./InputLoop.ts"
export { type InputReason, InputRequired, type InputResponses, type Round } from "./InputRequired.ts"
export type { Asked, Host, Page } from "./promise/answers.ts"
export {
  type CallOptions,
  type Client,
  connect,
  type ExtensionOptions,
  type ListOptions,
  open
} from "./promise/Client.ts"
export { type Options, type RequestOptions, toClient } from "./promise/options.ts"
export type { Awaitable } from "./promise/running.ts"
export { RpcError, TransportError, Violation } from "@effective-mcp/protocol"
