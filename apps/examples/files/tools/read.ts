import { Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { bounds } from "../bounds.ts"
import { type Folder, locate } from "../Folder.ts"
import { readText } from "../readText.ts"

/** Reads one text file. */
export const read = (folder: Folder) =>
  Tool.make("read", {
    title: "Read a file",
    description: `Gives the text of one file of at most ${bounds.fileBytes / 1024} KiB`,
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: { path: Schema.String.annotate({ description: "The file, such as guides/http/start.md" }) },
    run: ({ path }) => Effect.flatMap(locate(folder, path), readText)
  })
