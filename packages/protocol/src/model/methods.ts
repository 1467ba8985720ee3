import type { JsonObject, RequestId } from "../JsonRpc.ts"
import type { Cancelled } from "./cancellation.ts"
import type { CompleteParams, CompleteResult } from "./completion.ts"
import type { ElicitationComplete, ElicitParams, ElicitResult } from "./elicitation.ts"
import type { DiscoverResult, InitializeParams, InitializeResult } from "./lifecycle.ts"
import type { LogMessage, SetLevelParams } from "./logging.ts"
import type { PageParams } from "./pagination.ts"
import type { Progress } from "./progress.ts"
import type { GetPromptParams, GetPromptResult, ListPromptsResult } from "./prompts.ts"
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  ResourceParams,
  ResourceUpdated
} from "./resources.ts"
import type { ListRootsResult } from "./roots.ts"
import type { CreateMessageParams, CreateMessageResult } from "./sampling.ts"
import type { ListenParams, ListenResult, SubscriptionsAcknowledged } from "./subscriptions.ts"
import type { ListTasksResult, Task, TaskParams } from "./tasks.ts"
import type { CallToolParams, CallToolResult, ListToolsParams, ListToolsResult } from "./tools.ts"

/**
 * What says nothing but that it was done.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#emptyresult
 */
export interface EmptyResult {
  readonly _meta?: JsonObject
}

/** Params that nothing needs to be said in. */
export interface EmptyParams {
  readonly _meta?: JsonObject
}

/**
 * What 2025-11-25 asks about tasks, in both directions.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#protocol-messages
 */
export interface TaskMethods {
  readonly "tasks/get": { readonly params: TaskParams; readonly result: Task }
  readonly "tasks/result": { readonly params: TaskParams; readonly result: JsonObject }
  readonly "tasks/cancel": { readonly params: TaskParams; readonly result: Task }
  readonly "tasks/list": { readonly params: PageParams; readonly result: ListTasksResult }
}

/**
 * Every request that a feature makes or answers, in neutral terms: what each era and revision carries in its own way.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#requests
 */
export interface Methods extends TaskMethods {
  readonly "tools/list": { readonly params: ListToolsParams; readonly result: ListToolsResult }
  readonly "tools/call": { readonly params: CallToolParams; readonly result: CallToolResult }
  readonly "resources/list": { readonly params: PageParams; readonly result: ListResourcesResult }
  readonly "resources/templates/list": { readonly params: PageParams; readonly result: ListResourceTemplatesResult }
  readonly "resources/read": { readonly params: ResourceParams; readonly result: ReadResourceResult }
  readonly "resources/subscribe": { readonly params: ResourceParams; readonly result: EmptyResult }
  readonly "resources/unsubscribe": { readonly params: ResourceParams; readonly result: EmptyResult }
  readonly "prompts/list": { readonly params: PageParams; readonly result: ListPromptsResult }
  readonly "prompts/get": { readonly params: GetPromptParams; readonly result: GetPromptResult }
  readonly "completion/complete": { readonly params: CompleteParams; readonly result: CompleteResult }
  readonly "logging/setLevel": { readonly params: SetLevelParams; readonly result: EmptyResult }
  readonly "subscriptions/listen": { readonly params: ListenParams; readonly result: ListenResult }
}

export type Method = keyof Methods

/** What the eras ask by themselves: how a client and a server come to terms, and whether the other side still answers. */
export interface Openings {
  readonly initialize: { readonly params: InitializeParams; readonly result: InitializeResult }
  readonly ping: { readonly params: EmptyParams; readonly result: EmptyResult }
  readonly "server/discover": { readonly params: EmptyParams; readonly result: DiscoverResult }
}

export type Opening = keyof Openings

/**
 * What a server asks of a client: requests of its own, or questions inside a result that asks for input.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#supported-requests
 */
export interface Questions {
  readonly "sampling/createMessage": { readonly params: CreateMessageParams; readonly result: CreateMessageResult }
  readonly "elicitation/create": { readonly params: ElicitParams; readonly result: ElicitResult }
  readonly "roots/list": { readonly params: EmptyParams; readonly result: ListRootsResult }
}

export type Question = keyof Questions

/** Every request that a server makes: its questions, and on 2025-11-25 those about the client's tasks. */
export interface Asked extends Questions, TaskMethods {}

/**
 * What either side says without waiting for an answer: the parameters of each notification.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#notifications
 */
export interface Notifications {
  readonly "notifications/cancelled": Cancelled
  readonly "notifications/progress": Progress & { readonly progressToken: RequestId; readonly _meta?: JsonObject }
  readonly "notifications/initialized": EmptyParams
  readonly "notifications/roots/list_changed": EmptyParams
  readonly "notifications/tools/list_changed": EmptyParams
  readonly "notifications/prompts/list_changed": EmptyParams
  readonly "notifications/resources/list_changed": EmptyParams
  readonly "notifications/resources/updated": ResourceUpdated
  readonly "notifications/message": LogMessage
  readonly "notifications/subscriptions/acknowledged": SubscriptionsAcknowledged
  readonly "notifications/elicitation/complete": ElicitationComplete
  readonly "notifications/tasks/status": Task
}

export type NotificationMethod = keyof Notifications

/** Whatever either side can say by a name. */
export type AnyMethod = Method | Opening | Question | NotificationMethod
