import * as Data from "effect/Data"

/** A transcript that cannot be read: `line` counts from 1. */
export class TranscriptSyntaxError extends Data.TaggedError("TranscriptSyntaxError")<{
  readonly line: number
  readonly detail: string
}> {
  override get message(): string {
    return `line ${this.line} of the transcript: ${this.detail}`
  }
}

/**
 * The other side did not say what the transcript expects. For people who read a failing test: it shows messages, so keep
 * it out of logs.
 */
export class TranscriptMismatch extends Data.TaggedError("TranscriptMismatch")<{
  /** The line that was not met, counted from 1. */
  readonly line: number
  readonly expected: string
  readonly actual: string
  /** The first place where they differ, such as `result.tools[0].name: "add" expected`; empty when nothing can be compared. */
  readonly difference: string
}> {
  override get message(): string {
    const where = this.difference === "" ? "" : `\n  first difference: ${this.difference}`
    return `line ${this.line} of the transcript\n  expected: ${this.expected}\n  actual:   ${this.actual}${where}`
  }
}

/** A value as JSON text of at most `length` characters. */
export const clip = (value: unknown, length: number): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`
}
