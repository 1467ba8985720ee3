import type { ToolError } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import type { Dirent } from "node:fs"
import { opendir } from "node:fs/promises"
import { type Folder, type Located, locate } from "./Folder.ts"
import { isServed } from "./names.ts"
import { opened, prove } from "./opened.ts"
import { wayTo } from "./proc.ts"
import { attempt, refuse } from "./refusal.ts"

export interface Entry {
  readonly kind: "file" | "folder"
  readonly path: string
  /** Levels below where the walk began; the first is 0. */
  readonly level: number
}

export interface Walk {
  readonly entries: ReadonlyArray<Entry>
  /** Whether there is more than the bounds let through. */
  readonly truncated: boolean
}

export interface WalkBounds {
  readonly entries: number
  readonly depth: number
}

export interface Children {
  readonly found: ReadonlyArray<Dirent>
  readonly more: boolean
}

const namesIn = async (way: string, most: number, isShown: (name: string) => boolean): Promise<Children> => {
  const found: Array<Dirent> = []
  for await (const child of await opendir(way)) {
    if (!(child.isFile() || child.isDirectory()) || !isShown(child.name)) continue
    if (found.length >= most) return { found, more: true }
    found.push(child)
  }
  return { found: found.sort((a, b) => (a.name < b.name ? -1 : 1)), more: false }
}

const below = (path: string, name: string): string => (path === "." ? name : `${path}/${name}`)

/** What is in a folder. Packages that were installed are nobody's documents. */
export const children = (located: Located, most: number): Effect.Effect<Children, ToolError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { folder, path, real } = located
      const isShown = (name: string): boolean => name !== "node_modules" && isServed(below(path, name))
      const handle = folder.ways ? yield* opened(located) : undefined
      const way = handle === undefined ? real : wayTo(handle)
      const found = yield* attempt(path, () => namesIn(way, most, isShown))
      yield* prove(located, handle)
      return found
    })
  )

/** What is below a folder, in the order of names, each folder before what is in it. Links are not followed. */
export const walk = (
  folder: Folder,
  from: string,
  { depth, entries: most }: WalkBounds
): Effect.Effect<Walk, ToolError> =>
  Effect.gen(function* () {
    const entries: Array<Entry> = []
    let truncated = false
    const into = (path: string, level: number): Effect.Effect<void, ToolError> =>
      Effect.gen(function* () {
        const located = yield* locate(folder, path)
        if (!located.info.isDirectory()) return yield* refuse(path, "is not a folder; read shows what is in a file")
        const { found, more } = yield* children(located, most - entries.length)
        truncated ||= more
        for (const child of found) {
          if (entries.length >= most) {
            truncated = true
            return
          }
          const kind = child.isDirectory() ? "folder" : "file"
          const childPath = below(located.path, child.name)
          entries.push({ kind, path: childPath, level })
          if (kind === "file") continue
          if (level + 1 >= depth) truncated = true
          // a folder that has gone, or that may not be read, hides nothing but itself
          else yield* Effect.ignore(into(childPath, level + 1))
        }
      })
    yield* into(from, 0)
    return { entries, truncated }
  })
