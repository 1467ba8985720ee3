import * as Schema from "effect/Schema"

const optional = Schema.optionalKey
const Count = optional(Schema.Int)
const AtLeastOne = optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)))
const Ms = optional(Schema.Finite)
const Texts = Schema.Record(Schema.String, Schema.String)

/** How a lost session is begun anew. */
const Recover = Schema.Struct({ attempts: Count, totalMs: Ms, uptimeMs: Ms })

/** How a request that failed on the wire is sent again; the tools of `mayRepeat` as well. */
const Retry = Schema.Struct({
  attempts: Count,
  delayMs: Ms,
  totalMs: Ms,
  mayRepeat: optional(Schema.Array(Schema.String))
})

/** How the HTTP transport comes back to a stream that broke. */
const Reconnect = Schema.Struct({ attempts: Count, floorMs: Count, delayMs: Count, totalMs: Count })

/** When a program that has ended is started again. */
const Restart = Schema.Union([Schema.Literal("lazy"), Schema.Struct({ eager: Schema.Int })])

/** What a script may set of the client and its transport; what is left out is as the library has it. */
export const Options = Schema.Struct({
  requestTimeoutMs: Ms,
  totalTimeoutMs: Ms,
  probeMs: Ms,
  /** False: a lost session stays lost. */
  recover: optional(Schema.Union([Schema.Boolean, Recover])),
  /** A number is how often. */
  retry: optional(Schema.Union([Schema.Boolean, Schema.Int, Retry])),
  cache: optional(Schema.Union([Schema.Boolean, Schema.Struct({ staleIfErrorMs: Ms })])),
  /** What every request says in its `_meta`. */
  meta: optional(Schema.Record(Schema.String, Schema.Json)),
  /** How many pages of a list are followed. */
  pages: AtLeastOne,
  /** How often a call is made again for input. */
  rounds: Count,
  /** How often in a row a subscription that broke is opened again. */
  reopenings: optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  /** What happens when a tool's structured content does not fit its schema. */
  check: optional(Schema.Literals(["fail", "warn", "off"])),
  maxMessageBytes: Count,
  maxDepth: Count,
  /** Over HTTP alone. */
  headers: optional(Texts),
  apiKey: optional(Schema.String),
  reconnect: optional(Reconnect),
  /** On stdio alone. */
  restart: optional(Restart),
  healthCheckMs: Ms,
  graceMs: Ms,
  stderrBytes: Count,
  mailbox: Count,
  mailboxBytes: Count,
  unread: Count
})

export type Options = typeof Options.Type

/** The bounds of one message, on any wire. */
export const framesOf = ({ maxDepth, maxMessageBytes }: Options) => ({ messageBytes: maxMessageBytes, depth: maxDepth })
