import { Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { bounds } from "../bounds.ts"
import type { Folder } from "../Folder.ts"
import { type Entry, walk } from "../walk.ts"

const line = ({ kind, level, path }: Entry): string =>
  `${"  ".repeat(level)}${path.slice(path.lastIndexOf("/") + 1)}${kind === "folder" ? "/" : ""}`

/** Shows the tree of folders and files. */
export const list = (folder: Folder) =>
  Tool.make("list", {
    title: "List files",
    description: `Shows what is in a folder as a tree, at most ${bounds.listed} entries`,
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: {
      path: Schema.optionalKey(
        Schema.String.annotate({ description: "A folder, such as guides/http; all of it if left out" })
      ),
      depth: Schema.optionalKey(
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: bounds.depth })).annotate({
          description: "How many levels are shown; 3 if left out"
        })
      )
    },
    run: ({ depth = 3, path = "." }) =>
      Effect.map(walk(folder, path, { depth, entries: bounds.listed }), ({ entries, truncated }) => {
        const more = truncated ? ["… there is more: ask for one of the folders, or for more depth"] : []
        return [...entries.map(line), ...more].join("\n") || "(empty)"
      })
  })
