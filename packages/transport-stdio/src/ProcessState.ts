import type { ProcessExit, TransportError } from "@effective-mcp/protocol"

/**
 * How a process was lost.
 *
 * - `Exited`: the system told so.
 * - `Disconnected`: it may be there, but has closed its output, reads no more, or said what had to be refused.
 * - `FoundDead`: nothing told so; it was looked for and not found.
 */
export type CrashKind =
  | { readonly _tag: "Exited"; readonly exit: ProcessExit }
  | { readonly _tag: "Disconnected"; readonly cause?: unknown }
  | { readonly _tag: "FoundDead" }

/** The end of a process that nobody here has ended. */
export type Crash = CrashKind & {
  readonly pid: number
  /** Which process of its supervisor it was: 1 is the first. */
  readonly generation: number
  /** How long it was there, in ms. */
  readonly uptimeMs: number
  /** The last of its standard error; empty where that was not kept. */
  readonly stderr: string
}

/**
 * Why there is no process.
 *
 * - `NotStarted`: nobody has asked for one yet.
 * - `Stopped`: whoever had it let go of it.
 * - `Crashed`: it was lost, and the next one is started when it is asked for.
 * - `Failed`: the last attempt to start one failed.
 */
export type GoneReason =
  | { readonly _tag: "NotStarted" }
  | { readonly _tag: "Stopped" }
  | { readonly _tag: "Crashed"; readonly crash: Crash }
  | { readonly _tag: "Failed"; readonly error: TransportError }

/** What a supervised process is at. `n` counts the restarts since the last that has not failed, this one included. */
export type ProcessState =
  | { readonly _tag: "Starting" }
  | { readonly _tag: "Running"; readonly pid: number; readonly generation: number }
  | { readonly _tag: "Restarting"; readonly n: number }
  | { readonly _tag: "Gone"; readonly reason: GoneReason }
