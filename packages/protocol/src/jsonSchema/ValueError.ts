import * as Data from "effect/Data"

/** One place where a value is not as its schema says. */
export interface Failure {
  /** A JSON pointer into the value, `""` for the whole of it; control characters are replaced, and it is cut. */
  readonly path: string
  readonly keyword: string
  /** What is wrong, without what stood there. */
  readonly message: string
}

/** The value is not as the schema says; `more` when there are failures beyond those listed. */
export interface Mismatch {
  readonly _tag: "Mismatch"
  readonly failures: ReadonlyArray<Failure>
  readonly more: boolean
}

/**
 * Whether the value fits was not found out within the bounds: `limit` steps, levels, milliseconds of matching patterns, or
 * characters times instructions of one match. The last cannot be raised: a match that runs cannot be interrupted.
 */
export interface WorkExceeded {
  readonly _tag: "WorkExceeded"
  readonly what: "steps" | "depth" | "patterns" | "match"
  readonly limit: number
}

export type ValueReason = Mismatch | WorkExceeded

/** Bytes of an error's text. */
const TEXT_BYTES = 4096

const encoder = new TextEncoder()

const lineOf = ({ keyword, message, path }: Failure): string =>
  `${path === "" ? "the value" : path} ${message} (${keyword})`

/** As many failures as there is room for, one a line. */
const list = ({ failures, more }: Mismatch): string => {
  const lines = ["the value does not match its schema:"]
  const rest = (left: number): string => `… and ${more ? "at least " : ""}${left} more`
  let room = TEXT_BYTES - lines[0]!.length - rest(failures.length).length - 4
  for (const [index, failure] of failures.entries()) {
    const line = lineOf(failure)
    room -= encoder.encode(line).length + 1
    if (room < 0) return [...lines, rest(failures.length - index)].join("\n")
    lines.push(line)
  }
  return (more ? [...lines, "… and more"] : lines).join("\n")
}

const describe = (reason: ValueReason): string => {
  if (reason._tag === "Mismatch") return list(reason)
  const { limit, what } = reason
  const bound = {
    steps: `takes more than ${limit} steps`,
    depth: `goes over ${limit} levels: the schema refers to itself without end, or the value is nested too deep`,
    patterns: `takes more than ${limit} ms of matching patterns`,
    match: `meets a text too long for its pattern: over ${limit} characters times instructions`
  }
  return `checking the value against its schema ${bound[what]}`
}

/** A value is not what its schema says, or checking it takes too much. The message is at most 4 KiB, and may change. */
export class ValueError extends Data.TaggedError("ValueError")<{ readonly reason: ValueReason }> {
  override get message(): string {
    return describe(this.reason)
  }
}
