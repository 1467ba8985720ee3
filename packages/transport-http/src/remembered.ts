import { type HeaderParams, limits } from "@effective-mcp/protocol"

/** Of one tool, the arguments that headers repeat. */
export type Params = ReadonlyArray<HeaderParams.HeaderParam>

/** Characters that are remembered of a tool. */
export const charsOf = (name: string, params: Params): number =>
  params.reduce(
    (sum, { header, path }) => path.reduce((sum, key) => sum + key.length, sum + header.length),
    name.length
  )

/** Makes room for one more, of which there are `most`: the oldest go. */
export const makeRoom = (
  names: { readonly size: number; keys(): Iterable<string>; delete(name: string): unknown },
  most: number
): void => {
  for (const oldest of names.keys()) {
    if (names.size < most) return
    names.delete(oldest)
  }
}

/** Tools that have such arguments, bounded in number and in characters: the oldest go. */
export class Annotated {
  private readonly tools = new Map<string, { readonly params: Params; readonly chars: number }>()
  private chars = 0

  of(name: string): Params | undefined {
    return this.tools.get(name)?.params
  }

  /** Remembers a tool as the newest, unless it is too long; tells which others it has forgotten for that. */
  add(name: string, params: Params): ReadonlyArray<string> {
    this.drop(name)
    const chars = charsOf(name, params)
    if (chars > limits.learnedChars) return []
    this.tools.set(name, { params, chars })
    this.chars += chars
    const forgotten: Array<string> = []
    for (const oldest of this.tools.keys()) {
      if (this.tools.size <= limits.learnedTools && this.chars <= limits.learnedChars) break
      this.drop(oldest)
      forgotten.push(oldest)
    }
    return forgotten
  }

  drop(name: string): void {
    this.chars -= this.tools.get(name)?.chars ?? 0
    this.tools.delete(name)
  }

  clear(): void {
    this.tools.clear()
    this.chars = 0
  }
}
