import * as Schema from "effect/Schema"
import type { TaskMethods } from "../../model/methods.ts"
import type { Task as Tracked, TaskParams } from "../../model/tasks.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { integer, open, optional, optionalInteger, optionalString } from "../fields.ts"
import { asItIs } from "../project.ts"
import type { Codec, NotificationCodec } from "../Revision.ts"
import { page } from "../v2024_11_05/pagination.ts"
import { NotificationParams, RequestParams, Result } from "./basic.ts"
import { notification, request } from "./jsonrpc.ts"
import { pageRequest, PaginatedResult } from "./pagination.ts"

/** How long a task is to be kept, in ms. @see https://modelcontextprotocol.io/specification/2025-11-25/schema#taskmetadata */
export const TaskMetadata = lazy(() => Schema.Struct({ ttl: optionalInteger() }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#relatedtaskmetadata */
export const RelatedTaskMetadata = lazy(() => Schema.Struct({ taskId: Schema.String }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#creating-tasks */
export const TaskAugmentedRequestParams = lazy(() =>
  Schema.Struct({ ...RequestParams().fields, task: optional(TaskMetadata()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-status */
export const TaskStatus = lazy(() => Schema.Literals(["working", "input_required", "completed", "failed", "cancelled"]))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#task */
export const Task = lazy(() =>
  Schema.Struct({
    taskId: Schema.String,
    status: TaskStatus(),
    statusMessage: optionalString(),
    createdAt: Schema.String,
    lastUpdatedAt: Schema.String,
    ttl: Schema.Union([integer(), Schema.Null]),
    pollInterval: optionalInteger()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#createtaskresult */
export const CreateTaskResult = lazy(() => Schema.Struct({ ...Result().fields, task: Task() }))

const taskParams = lazy(() => Schema.Struct({ taskId: Schema.String }))
const taskResult = lazy(() => Schema.Struct({ ...Result().fields, ...Task().fields }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#getting-tasks */
export const GetTaskRequest = request("tasks/get", taskParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#getting-tasks */
export const GetTaskResult = lazy(() => taskResult())

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#retrieving-task-results */
export const GetTaskPayloadRequest = request("tasks/result", taskParams)

/** What the request would have been answered with. @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#retrieving-task-results */
export const GetTaskPayloadResult = lazy(() => Result())

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#cancelling-tasks */
export const CancelTaskRequest = request("tasks/cancel", taskParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#cancelling-tasks */
export const CancelTaskResult = lazy(() => taskResult())

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#listing-tasks */
export const ListTasksRequest = pageRequest("tasks/list")

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#listing-tasks */
export const ListTasksResult = lazy(() => Schema.Struct({ ...PaginatedResult().fields, tasks: Schema.Array(Task()) }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#taskstatusnotificationparams */
export const TaskStatusNotificationParams = lazy(() =>
  Schema.Struct({ ...NotificationParams().fields, ...Task().fields })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-status-notification */
export const TaskStatusNotification = notification("notifications/tasks/status", TaskStatusNotificationParams)

const named = { decodeParams: paramsChecker(taskParams), encodeParams: ({ taskId }: TaskParams) => ({ taskId }) }
const payload = lazy(() => open(GetTaskPayloadResult().fields))
const known = { ...named, decodeResult: checker(taskResult), encodeResult: asItIs }

/** What each side may ask about the other's tasks. @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks */
export const tasks: { readonly [M in keyof TaskMethods]: Codec<TaskMethods[M]["params"], TaskMethods[M]["result"]> } = {
  "tasks/get": known,
  "tasks/cancel": known,
  "tasks/result": { ...named, decodeResult: checker(payload), encodeResult: asItIs },
  "tasks/list": { ...page, decodeResult: checker(ListTasksResult), encodeResult: asItIs }
}

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-status-notification */
export const taskStatus: NotificationCodec<Tracked> = {
  decodeParams: checker(TaskStatusNotificationParams),
  encodeParams: asItIs
}
