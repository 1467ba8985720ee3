/** Serves one folder on stdin and stdout: `node main.ts [folder]`, by default this repository's documentation. */
import { runMain, serve } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import { fileURLToPath } from "node:url"
import * as Folder from "./Folder.ts"
import { files } from "./server.ts"

const path = process.argv[2] ?? fileURLToPath(new URL("../../../docs", import.meta.url))

runMain(Effect.flatMap(Folder.open(path), (folder) => serve(files(folder))))
