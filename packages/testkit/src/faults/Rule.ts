/** Which way a message goes, seen from the end that is wrapped: `"in"` is read from the pipe, `"out"` is sent on it. */
export type Direction = "in" | "out"

export type Kind = "request" | "notification" | "response" | "batch" | "malformed"

/** Which messages a rule is about; what is left out holds for all. */
export interface When {
  readonly direction?: Direction | undefined
  readonly kind?: Kind | undefined
  /** The method of a request or notification; of a response, that of the request it answers. */
  readonly method?: string | undefined
  /** Only the n-th of those that the rest holds for, counted from 1. */
  readonly nth?: number | undefined
}

/** The message is lost. */
export interface Drop {
  readonly _tag: "Drop"
}

/** The message, and what follows in its exchange, arrives `ms` later; other exchanges go on. */
export interface Delay {
  readonly _tag: "Delay"
  readonly ms: number
}

/** The message arrives `copies` times, one right after the other. Default 2. */
export interface Duplicate {
  readonly _tag: "Duplicate"
  readonly copies?: number | undefined
}

/**
 * The message is overtaken by the next `by` messages of other exchanges (default 1), or by what comes in `atMostMs`
 * (default 1,000). What follows in its own exchange stays behind it.
 */
export interface Reorder {
  readonly _tag: "Reorder"
  readonly by?: number | undefined
  readonly atMostMs?: number | undefined
}

/**
 * The message is cut in the middle: its reader meets a line that is no message, and can read on; with `last` that is all
 * there is to read, since the wire is reset right behind it.
 */
export interface Half {
  readonly _tag: "Half"
  readonly last?: boolean | undefined
}

/** The message is lost, and the wire with it: both ends fail with `Closed`. */
export interface Reset {
  readonly _tag: "Reset"
}

/** From this message on the wire takes everything and gives nothing, both ways, and never ends. */
export interface BlackHole {
  readonly _tag: "BlackHole"
}

/** From this message on its direction lets one message pass every `everyMs`; senders wait once the wire is full. */
export interface SlowReader {
  readonly _tag: "SlowReader"
  readonly everyMs: number
}

export type Fault = Drop | Delay | Duplicate | Reorder | Half | Reset | BlackHole | SlowReader

export interface Rule {
  readonly when: When
  readonly do: Fault
}

/** How likely each fault is for a message, from 0 to 1; together at most 1. */
export interface Chances {
  readonly drop?: number | undefined
  readonly delay?: number | undefined
  readonly duplicate?: number | undefined
  readonly reorder?: number | undefined
  readonly half?: number | undefined
  readonly reset?: number | undefined
  readonly blackHole?: number | undefined
  readonly slowReader?: number | undefined
  /** The longest delay, in ms. Default 100. */
  readonly delayMs?: number | undefined
  /** Which messages may be struck at all; default every one. */
  readonly among?: Omit<When, "nth"> | undefined
}

/** What goes wrong, as plain data. */
export interface Script {
  /** Where the chances start from: the same seed and the same messages give the same faults. Default 0. */
  readonly seed?: number | undefined
  /** The first rule that is about a message decides; every rule counts what it is about. */
  readonly rules?: ReadonlyArray<Rule> | undefined
  /** For messages that no rule is about. */
  readonly chances?: Chances | undefined
  /** Messages that one direction holds back, before it takes no more. Default 64. */
  readonly capacity?: number | undefined
}

/** One fault that struck. */
export interface Fired {
  readonly direction: Direction
  /** The place of the message among all of its direction, counted from 1. */
  readonly at: number
  readonly kind: Kind
  readonly method?: string | undefined
  readonly fault: Fault
}
