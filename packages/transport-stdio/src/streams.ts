// cast: as Node types it; what each event brings is for the listener to say
type Heard = (...args: Array<any>) => void

/** A stream of bytes to read: Node's own, on any runtime, or what behaves like one. */
export interface Input {
  on(event: string, listener: Heard): unknown
  off(event: string, listener: Heard): unknown
  pause(): unknown
  resume(): unknown
  readonly readableEnded?: boolean
  readonly destroyed?: boolean
}

/** A stream of bytes to write: Node's own, on any runtime, or what behaves like one. */
export interface Output {
  on(event: string, listener: Heard): unknown
  off(event: string, listener: Heard): unknown
  /** `done` is told once the text has left, or cannot leave. False when the next should wait for `drain`. */
  write(text: string, done: (error?: Error | null) => void): boolean
}
