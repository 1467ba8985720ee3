import { Call, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { bounds } from "../bounds.ts"
import { type Folder, locate } from "../Folder.ts"
import { readText } from "../readText.ts"
import { walk } from "../walk.ts"

const Match = Schema.Struct({
  path: Schema.String,
  line: Schema.optionalKey(Schema.Int.annotate({ description: "Counted from 1; left out when the name matches" })),
  text: Schema.optionalKey(Schema.String.annotate({ description: "The line, or the part of it around the match" }))
})

const excerpt = (line: string, at: number): string => {
  if (line.length <= bounds.excerpt) return line.trim()
  const start = Math.max(0, Math.min(at - bounds.excerpt / 4, line.length - bounds.excerpt))
  return `…${line.slice(start, start + bounds.excerpt).trim()}…`
}

/** The lines of a text that hold what is sought. */
const linesOf = function* (text: string, sought: string): Generator<{ readonly line: number; readonly text: string }> {
  let number = 0
  for (const line of text.split("\n")) {
    number++
    const at = line.toLowerCase().indexOf(sought)
    if (at >= 0) yield { line: number, text: excerpt(line, at) }
  }
}

/** How often a search says how far it has got, at most. */
const reports = 20

/** Finds text in the names and the contents of files. */
export const search = (folder: Folder) =>
  Tool.make("search", {
    title: "Search files",
    description: "Finds files whose name or text contains something; upper and lower case are the same",
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: {
      text: Schema.String.check(Schema.isBetweenLength(1, 200)).annotate({
        description: "What to look for, literally"
      }),
      path: Schema.optionalKey(Schema.String.annotate({ description: "Only below this folder" })),
      limit: Schema.optionalKey(
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: bounds.matches })).annotate({
          description: `How many matches at most; ${bounds.matches} if left out`
        })
      )
    },
    output: {
      matches: Schema.Array(Match),
      searched: Schema.Int.annotate({ description: "How many files were read" }),
      skipped: Schema.Int.annotate({ description: "How many were not: too large, binary, or not readable" }),
      truncated: Schema.Boolean.annotate({ description: "Whether there may be more matches" })
    },
    run: Effect.fnUntraced(function* ({ limit = bounds.matches, path = ".", text }) {
      const call = yield* Call
      const { entries, truncated } = yield* walk(folder, path, bounds)
      const files = entries.filter(({ kind }) => kind === "file")
      const sought = text.toLowerCase()
      const matches: Array<typeof Match.Type> = []
      let searched = 0
      let skipped = 0
      for (const [index, { path }] of files.entries()) {
        if (index % Math.ceil(files.length / reports) === 0) yield* call.progress(index, files.length, path)
        if (
          path
            .slice(path.lastIndexOf("/") + 1)
            .toLowerCase()
            .includes(sought)
        )
          matches.push({ path })
        const content = yield* Effect.option(Effect.flatMap(locate(folder, path), readText))
        if (Option.isNone(content)) skipped++
        else {
          searched++
          for (const found of linesOf(content.value, sought)) {
            if (matches.push({ path, ...found }) > limit) break
          }
        }
        if (matches.length > limit) break
      }
      return {
        matches: matches.slice(0, limit),
        searched,
        skipped,
        truncated: truncated || matches.length > limit
      }
    })
  })
