/**
 * How far a request has got: `progress` only ever increases, `total` is where it ends when that is known.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 */
export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}
