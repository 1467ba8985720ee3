import type { JsonObject } from "../JsonRpc.ts"

/**
 * A request that goes on after it has been answered, as 2025-11-25 has them. Times are ISO 8601; `ttl` is how long the
 * task is kept, in ms from its creation, null for ever; `pollInterval` is in ms.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
export interface Task {
  readonly taskId: string
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled"
  readonly statusMessage?: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
  readonly ttl: number | null
  readonly pollInterval?: number
  readonly _meta?: JsonObject
}

/**
 * Which task.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#getting-tasks
 */
export interface TaskParams {
  readonly taskId: string
}

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#listing-tasks */
export interface ListTasksResult {
  readonly tasks: ReadonlyArray<Task>
  readonly nextCursor?: string
  readonly _meta?: JsonObject
}
