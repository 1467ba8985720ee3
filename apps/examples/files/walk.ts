import type { ToolError } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import type { Dirent } from "node:fs"
import { opendir } from "node:fs/promises"
import { type Folder, isHidden, locate } from "./Folder.ts"
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

/** Packages that were installed are nobody's documents. */
const isSkipped = (name: string): boolean => isHidden(name) || name === "node_modules"

const children = async (real: string, most: number): Promise<{ found: Array<Dirent>; more: boolean }> => {
  const found: Array<Dirent> = []
  for await (const child of await opendir(real)) {
    if (isSkipped(child.name) || !(child.isFile() || child.isDirectory())) continue
    if (found.length >= most) return { found, more: true }
    found.push(child)
  }
  return { found: found.sort((a, b) => (a.name < b.name ? -1 : 1)), more: false }
}

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
        const { info, path: clean, real } = yield* locate(folder, path)
        if (!info.isDirectory()) return yield* refuse(path, "is not a folder; read shows what is in a file")
        const { found, more } = yield* attempt(path, () => children(real, most - entries.length))
        truncated ||= more
        for (const child of found) {
          if (entries.length >= most) {
            truncated = true
            return
          }
          const kind = child.isDirectory() ? "folder" : "file"
          const childPath = clean === "." ? child.name : `${clean}/${child.name}`
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
