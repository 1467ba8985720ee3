import { Server } from "@effective-mcp/server"
import type { Folder } from "./Folder.ts"
import { list } from "./tools/list.ts"
import { read } from "./tools/read.ts"
import { search } from "./tools/search.ts"

/** A server that shows the texts of one folder, and nothing else. */
export const files = (folder: Folder): Server.Server =>
  Server.make(
    { name: "files", version: "1.0.0", title: "Files of a folder" },
    [list(folder), search(folder), read(folder)],
    {
      instructions: "Paths begin in the folder that is served and are separated by slashes. Search first, then read."
    }
  )
