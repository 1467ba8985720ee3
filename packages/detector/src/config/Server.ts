import type { Reason } from "../ConnectTargetError.ts"

/** A program, ready to be started. */
export interface ProgramPlace {
  readonly _tag: "Program"
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** An address, and what speaks there if that is known. */
export interface UrlPlace {
  readonly _tag: "Url"
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly wire?: "streamable-http" | "sse" | "plain"
}

/** One server of a configuration, with its variables in. */
export interface Server {
  readonly place: ProgramPlace | UrlPlace
  /** How long its requests wait, in ms. */
  readonly timeout?: number
  /** What must not be repeated in an error. */
  readonly secrets: ReadonlyArray<string>
  /** Members of its entry that mean nothing here. */
  readonly unknown: ReadonlyArray<string>
}

/** What its entry reads as, under its own name: a server, or why it is none. */
export interface Named {
  readonly name: string
  readonly read: Server | Extract<Reason, { _tag: "BadConfig" | "Unset" }>
}
