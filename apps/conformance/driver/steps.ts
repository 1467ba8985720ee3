import * as Schema from "effect/Schema"

const optional = Schema.optionalKey
const Ms = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const Texts = Schema.Record(Schema.String, Schema.String)
const Level = Schema.Literals(["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"])

/** How often the steps of a `parallel` are done at the most. */
const MOST_TIMES = 10_000

/** What every step may say: how long it may take, and whether it tells of progress. */
const common = { timeoutMs: optional(Ms), progress: optional(Schema.Boolean) }

const step = <const Op extends string, const Fields extends Schema.Struct.Fields>(op: Op, fields: Fields) =>
  Schema.Struct({ op: Schema.Literal(op), ...common, ...fields })

/** What a step that is a request may say besides. */
const request = <const Op extends string, const Fields extends Schema.Struct.Fields>(op: Op, fields: Fields) =>
  step(op, {
    totalTimeoutMs: optional(Ms),
    meta: optional(Schema.Record(Schema.String, Schema.Json)),
    cache: optional(Schema.Literal("reload")),
    logLevel: optional(Level),
    ...fields
  })

/** One page, from a cursor on, or all of them. */
const listing = <const Op extends string>(op: Op) =>
  request(op, { cursor: optional(Schema.String), all: optional(Schema.Boolean) })

/** A prompt by its name, or a template of resources by its `uri`. */
const Ref = Schema.Union([
  Schema.Struct({ type: optional(Schema.Literal("ref/prompt")), name: Schema.String }),
  Schema.Struct({ type: optional(Schema.Literal("ref/resource")), uri: Schema.String })
])

const Filter = Schema.Struct({
  toolsListChanged: optional(Schema.Boolean),
  promptsListChanged: optional(Schema.Boolean),
  resourcesListChanged: optional(Schema.Boolean),
  resourceSubscriptions: optional(Schema.Array(Schema.String))
})

const Request = Schema.Union([
  listing("listTools"),
  listing("listResources"),
  listing("listTemplates"),
  listing("listPrompts"),
  request("callTool", { name: Schema.String, arguments: optional(Schema.Record(Schema.String, Schema.Json)) }),
  request("readResource", { uri: Schema.String }),
  request("getPrompt", { name: Schema.String, arguments: optional(Texts) }),
  request("complete", {
    ref: Ref,
    argument: Schema.Struct({ name: Schema.String, value: Schema.String }),
    context: optional(Schema.Struct({ arguments: optional(Texts) }))
  }),
  request("setLogLevel", { level: Level }),
  request("ping", {})
])

const Other = Schema.Union([
  step("connect", {}),
  step("serverInfo", {}),
  step("listen", { filter: Filter, forMs: optional(Ms) }),
  step("subscribe", { uri: Schema.String }),
  step("notificationStream", {}),
  step("sleep", { ms: Ms }),
  step("close", {}),
  step("reconnect", {})
])

export type Request = typeof Request.Type

interface Common {
  readonly timeoutMs?: number
  readonly progress?: boolean
}

/** Leaves a step after some time, unless it has ended by then. */
interface CancelAfter extends Common {
  readonly op: "cancelAfter"
  readonly ms: number
  readonly step: Step
}

/** Does steps at once, each as often as it says. */
interface Parallel extends Common {
  readonly op: "parallel"
  readonly steps: ReadonlyArray<Step>
  readonly times?: number
}

/** One thing to do. */
export type Step = Request | typeof Other.Type | CancelAfter | Parallel

const Inner = Schema.suspend((): Schema.Codec<Step> => Step)

export const Step: Schema.Codec<Step> = Schema.Union([
  Request,
  Other,
  step("cancelAfter", { ms: Ms, step: Inner }),
  step("parallel", {
    steps: Schema.Array(Inner),
    times: optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MOST_TIMES })))
  })
])

const requests: ReadonlySet<string> = new Set(Request.members.map(({ fields }) => fields.op.literal))

export const isRequest = (step: Step): step is Request => requests.has(step.op)
